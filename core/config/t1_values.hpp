// Values of a T1 document: what they must be. `place` says in messages where in the document a value
// stands. Internal to this room.
#pragma once

#include <benchctl/types.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::t1 {

struct Parameter {
  std::string name;
  std::vector<Value> values;
  Value start;
};

/// What expressions may name.
struct Space {
  std::vector<Parameter> parameters;
  std::vector<std::string> problem_size;  ///< expressions: ProblemSize[0], ProblemSize[1] …
  [[nodiscard]] const Parameter* find(const std::string& name) const;
};

/// Throws ImportError.
[[noreturn]] void refuse(const std::string& place, const std::string& why);

// All of these throw ImportError.

[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* key,
                                           const std::string& place);
[[nodiscard]] std::string text_of(const nlohmann::json& value, const std::string& place);
/// A name of letters, digits and '_'.
[[nodiscard]] std::string name_of(const nlohmann::json& value, const std::string& place);
/// A number, a word or a truth value.
[[nodiscard]] Value scalar_of(const nlohmann::json& value, const std::string& place);
/// An expression of ours over the parameters, checked; a number stands for itself.
[[nodiscard]] std::string expression_of(const nlohmann::json& value, const std::string& place,
                                        const Space& space);
/// The number that an expression gives. It may name parameters that have one value, and take the `max` and
/// the `min` of others.
[[nodiscard]] Value number_of(const nlohmann::json& value, const std::string& place, const Space& space);
/// A sentence for each member of an object that is not in `read`.
void note_unread(std::vector<std::string>& left_out, const nlohmann::json& object, const std::string& place,
                 const std::vector<std::string>& read);
/// A list, or a text with one. Values of texts take from `room`.
[[nodiscard]] std::vector<Value> values_of(const nlohmann::json& given, const std::string& place,
                                           std::size_t& room);
/// The first of a list, or a value, which may be written as a text.
[[nodiscard]] Value default_of(const nlohmann::json& given, const Parameter& parameter, std::size_t& room);

/// The values of `[1, 2]`, `range(…)`, `list(…)`, `[2**i for i in range(4) if i != 2]` and sums of these.
/// Each value made on the way takes one from `room`. Throws ExpressionError, with the place in `text`.
[[nodiscard]] std::vector<Value> python_list(std::string_view text, std::size_t& room);

}  // namespace benchctl::t1

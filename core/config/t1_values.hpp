// Values in a T1 document: what they must be, and how they are written in a config. Nothing is evaluated
// but numbers. Internal to this room; `place` says in messages where in the document a value stands.
#pragma once

#include "model/point.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace benchctl::t1 {

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
/// An expression of ours, checked; a number stands for itself.
[[nodiscard]] std::string expression_of(const nlohmann::json& value, const std::string& place,
                                        const std::vector<std::string>& names);
/// A list, a list in a string, or `range(…)`.
[[nodiscard]] std::vector<Value> values_of(const nlohmann::json& given, const std::string& place);
/// Our name of an element type.
[[nodiscard]] std::string type_of(const std::string& name, const std::string& place);

}  // namespace benchctl::t1

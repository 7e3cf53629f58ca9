// What an experiment asks, and the words of its answer. For core/report/headline*.cpp only.
#pragma once

#include "report/headline.hpp"

#include <optional>

namespace benchctl {

struct Question {
  enum class Kind : std::uint8_t {
    contest,  ///< which is fastest on one problem
    course,   ///< how times go along the axis
    single,   ///< what there is: nothing competes and nothing varies
  };
  Kind kind = Kind::single;
  std::string axis{};
};

/// The value of a parameter, `layout`, `cache` or `launch`; nothing where the point has none.
[[nodiscard]] std::optional<Value> value_on(const Point& point, const std::string& axis);

/// `rows` of one workload, all with times.
[[nodiscard]] Question question_of(const std::string& title, std::span<const HeadlineRow> rows,
                                   const std::vector<std::size_t>& places);

/// Names of problem parameters that tell the rows apart: those with several values, without those that
/// follow another
/// (`m` and `k` are always as large as `n`). Of one problem: its whole numbers, each once.
[[nodiscard]] std::vector<std::string> telling_parameters(std::span<const HeadlineRow> rows,
                                                          const std::vector<std::size_t>& places);

/// The sentence of one workload, `places` its rows with times.
[[nodiscard]] Headline tell(const std::string& title, std::span<const HeadlineRow> rows,
                            std::span<const std::string> labels, std::vector<std::size_t> places);

/// `1.04×`, `6.2×`, `120×`.
[[nodiscard]] std::string times_text(double ratio);
/// `a`, `a and b`, `a, b, c and 3 more`.
[[nodiscard]] std::string and_list(const std::vector<std::string>& words);
[[nodiscard]] std::string capitalised(std::string text);
/// `cuBLAS` of the note `library = cuBLAS 12.4`; empty without the note.
[[nodiscard]] std::string library_of(const ResultRow& row);
/// Can the two times not be told apart? Without intervals only equal ones cannot.
[[nodiscard]] bool same_time(const ResultRow& a, const ResultRow& b);

}  // namespace benchctl

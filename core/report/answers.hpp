// What is the fastest on each platform, problem by problem: one row a device, read off the ranks.
#pragma once

#include "report/report.hpp"

#include <optional>

namespace benchctl {

struct Answer {
  std::size_t comparison = 0;
  std::size_t platform = 0;
  std::optional<std::size_t> best{};
  std::vector<std::size_t> ties{};   ///< others that are not shown slower
  std::optional<std::size_t> own{};  ///< the fastest that is not a vendor library, where the best is one
  /// Where several platforms have the problem: its median over that of the fastest platform; else NaN.
  double versus_device = no_number;
  std::string why_none{};  ///< why there is no best
};

/// The answers of one problem, in the order of its platforms.
[[nodiscard]] std::vector<Answer> answers_of(const Report& report, std::size_t comparison);

/// The answers of all problems, in the order of the config.
[[nodiscard]] std::vector<Answer> answers_of(const Report& report);

/// Why none of these rows, which have times, may win: `2 above the measured roof`.
[[nodiscard]] std::string why_none_wins(const Report& report, std::span<const std::size_t> rows);

/// `matmul n=512 dtype=f32`.
[[nodiscard]] std::string problem_text(const ProblemKey& key);
/// `not resolved`: the verdict for a table.
[[nodiscard]] std::string verdict_word(const Comparison& comparison);
/// `tiled tile=16 layout=soa`.
[[nodiscard]] std::string variant_text(const Result& row);

}  // namespace benchctl

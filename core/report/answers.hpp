// What is the fastest on each platform, problem by problem: one row a device.
#pragma once

#include "report/report.hpp"

#include <optional>

namespace benchctl {

struct Answer {
  std::size_t comparison = 0;
  std::size_t platform = 0;
  std::optional<std::size_t>
      best{};                        ///< of the rows that may head a summary, that with the smallest median
  std::vector<std::size_t> ties{};   ///< others that cannot be told apart from it
  std::optional<std::size_t> own{};  ///< fastest that is no vendor's, where the best is a vendor's
  std::size_t rivals = 0;            ///< how many rows may head
  /// Where several platforms have the problem: its median over that of the fastest platform.
  std::optional<stats::RatioEstimate> versus_fastest{};
  std::string unresolved{};  ///< why there is no best
};

/// Problems that most platforms have come first, of these the largest; within a problem in the order of the
/// platforms.
[[nodiscard]] std::vector<Answer> answers_of(const Report& report);

/// `matmul n=512 dtype=f32`.
[[nodiscard]] std::string problem_text(const IdenticalProblem& comparison);
/// `tiled tile=16 layout=soa`.
[[nodiscard]] std::string variant_text(const ResultRow& row);

}  // namespace benchctl

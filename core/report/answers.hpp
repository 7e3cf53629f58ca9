// The answer first: what is the fastest on each platform.
#pragma once

#include "report/report.hpp"

#include <optional>

namespace benchctl {

struct Answer {
  std::size_t comparison = 0;
  std::size_t platform = 0;
  std::size_t best = 0;            ///< the row with the smallest median
  std::vector<std::size_t> ties;   ///< others that cannot be told apart from it
  std::optional<std::size_t> own;  ///< fastest that is no vendor's, where the best is a vendor's
};

/// By comparison, then by platform; of those where something takes part.
[[nodiscard]] std::vector<Answer> answers_of(const Report& report);

/// `matmul n=512 dtype=f32`.
[[nodiscard]] std::string problem_text(const IdenticalProblem& comparison);
/// `tiled tile=16 layout=soa`.
[[nodiscard]] std::string variant_text(const ResultRow& row);

}  // namespace benchctl

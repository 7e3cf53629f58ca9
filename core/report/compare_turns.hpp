// The sides of `ab`, which were measured in turns: judged process by process.
#pragma once

#include "report/compare.hpp"

namespace benchctl {

/// Judges a pair of points that both have times. A process counts with the ratio of its two medians; where
/// it measured both sides, with the median of the ratios of its common rounds. What a comparison needs is
/// in `result`, its number of comparisons among it. Throws StoreError.
void judge_in_turns(const CompareResult& result, ComparedPair& pair);

/// What the comparison comes to, in a sentence with the figures behind it. `failures`: what fails, in
/// words.
[[nodiscard]] std::string turns_text(const CompareResult& result, const std::string& failures);

/// The smallest change, as a share, that would show by now in each pair that is not resolved; NaN where one
/// has no interval yet.
[[nodiscard]] double least_visible_change(const CompareResult& result);

}  // namespace benchctl

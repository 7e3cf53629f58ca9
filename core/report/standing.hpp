// Which rows may stand for their device in a summary.
#pragma once

#include "report/rows.hpp"

#include <string>
#include <vector>

namespace benchctl {

enum class Standing : std::uint8_t {
  heads,       ///< may be named as the fastest
  unstable,    ///< its time is known less exactly than was asked for
  above_roof,  ///< faster than the roof that was measured: the roof is too low, or work is left out
  repeated,    ///< a newer run of the report has the same point
  outside,     ///< has no time, or is expected to be wrong
};

/// Of a row alone: never `repeated`.
[[nodiscard]] Standing standing_of(const ResultRow& row);

/// `all 12 times are unstable: allow more time`: why none of these rows may head a summary. Empty if none
/// of them has a time.
[[nodiscard]] std::string why_none_heads(const std::vector<Standing>& standings);

}  // namespace benchctl

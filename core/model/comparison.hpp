// Points compared with each other round by round: what the config asks for, and what came out.
#pragma once

#include <benchctl/types.hpp>

#include <cstdint>
#include <string>

namespace benchctl {

/// `[compare]` of a config.
struct CompareSettings {
  /// What the point must be that the others of its problem are compared with (core/model/point_match.hpp).
  /// Empty: a vendor's variant on the same device or, without one, the first point of the device.
  Parameters baseline;
  /// Differences of up to this share of a time do not matter: 0.01 is 1 %.
  double threshold = 0.01;

  bool operator==(const CompareSettings&) const = default;
};

/// One point against its baseline, from the rounds in which both were sampled.
struct Comparison {
  std::string baseline;      ///< label of the point that it is compared with
  std::uint64_t rounds = 0;  ///< with a value of both
  double time_ratio = 0;     ///< the point's time over the baseline's: median over the rounds
  double ci_low = 0;         ///< 95 % interval of that ratio; NaN under 6 rounds
  double ci_high = 0;
  double p_value = 1;             ///< that the two are the same, adjusted for all comparisons of the group
  std::uint64_t comparisons = 1;  ///< made in the group; the verdict holds for all of them together at 95 %
  double threshold = 0;           ///< CompareSettings::threshold
  std::string verdict;            ///< an id of stats::verdict_table

  bool operator==(const Comparison&) const = default;
};

}  // namespace benchctl

// Where the level of a series changes: a kernel that is 5 % slower since Tuesday, one that becomes slower
// week by week, one run on a disturbed machine.
#pragma once

#include "stats/summary.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace benchctl::stats {

/// Fewest values in which a change can be found: three on each level.
inline constexpr std::size_t least_for_changes = 6;

struct Step {
  std::size_t at = 0;  ///< the first value of the new level
  double shift = 0;    ///< new level minus old
  Interval interval;   ///< of the shift, 95 % although the step was searched for
  double p_value = 1;  ///< of a step this clear anywhere in a series without one
};

/// A slow change over the whole series.
struct Trend {
  double shift = 0;   ///< last value minus first, on the line
  Interval interval;  ///< of the shift, 95 %
  double p_value = 1;
};

struct LevelChanges {
  std::vector<Step> steps;     ///< by place
  std::optional<Trend> trend;  ///< only without steps
  /// Values too far from their level or line to be noise, but too few for a level. By place.
  std::vector<std::size_t> disturbed;
};

/// Steps, or a trend, in a series of at least `least_for_changes` values; shorter ones have none.
///
/// Steps: `robust_segments` proposes cuts with a low penalty. Then the least significant cut is removed
/// until all that remain have a p-value of at most `level`: Student's t for the difference between both
/// sides, in the noise that `level_noise` finds, times the number of values. Levels are means of values
/// clipped at 2 standard deviations around the median. At least three values make a level at the ends, four
/// between cuts, and of up to nine values four fifths must lie on their level's side of the middle: what is
/// shorter is called disturbed.
///
/// Trend: the line of Theil and Sen (drift.hpp), if its change is significant at `level` in the same noise
/// and the line fits better than steps by Schwarz's criterion ("Estimating the dimension of a model",
/// Annals of Statistics 6, 1978) with Laplace's distribution.
///
/// At most `level` of all series without a change get a step, and at most as many a trend, if noise is
/// normal, heavy-tailed or with outliers, and neighbours correlate by 0.5 or less (docs/statistics.md has
/// counts). `errors` are the values' standard errors: a lower bound of the noise. std::invalid_argument for
/// series of different lengths, values that are not finite, errors that are not finite or below 0, or a
/// level outside (0, 1).
[[nodiscard]] LevelChanges find_changes(std::span<const double> values, std::span<const double> errors,
                                        double level);

}  // namespace benchctl::stats

// Which of many like things stand out: one slow card among those of a fleet.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace benchctl::stats {

/// With fewer members nothing is said: their scatter is not known.
inline constexpr std::size_t fewest_members = 6;

struct FleetScatter {
  double centre = 0;   ///< median
  double scatter = 0;  ///< standard deviation of the body: 1.4826 times the median distance from the centre
  /// A member above it stands out. If members are like each other, at most the share `error` of fleets has
  /// one above it by chance.
  double bound = std::numeric_limits<double>::infinity();
};

/// Of the logarithms of the members' values. `tests`: how many questions share `error`, members times
/// figures; at least the members. The median and the median distance feel little of up to a third of
/// members that are slow. The bound is Student's, for members from a normal distribution whose scatter is
/// as uncertain as a median distance is: its variance is 2.7 times that of a standard deviation
/// (Huber and Ronchetti, "Robust Statistics", 2nd edition, section 5.1), so as many degrees of freedom are
/// lost. Nothing for fewer than `fewest_members`.
[[nodiscard]] std::optional<FleetScatter> fleet_scatter(std::span<const double> logs, double error,
                                                        std::size_t tests);

}  // namespace benchctl::stats

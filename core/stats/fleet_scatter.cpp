#include "stats/fleet_scatter.hpp"

#include "stats/summary.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace benchctl::stats {

namespace {

/// Of a normal distribution: standard deviation over median distance from the centre.
constexpr double normal_consistency = 1.4826;
/// Variance of a median distance over that of a standard deviation.
constexpr double lost_efficiency = 2.7;

}  // namespace

std::optional<FleetScatter> fleet_scatter(std::span<const double> logs, double error, std::size_t tests) {
  if (logs.size() < fewest_members) return std::nullopt;
  FleetScatter fleet;
  fleet.centre = median(logs);
  const auto members = static_cast<double>(logs.size());
  // Few members: the middle of the distances is too small by this much.
  fleet.scatter = normal_consistency * mad(logs) * members / (members - 0.8);
  const boost::math::students_t distribution(members / lost_efficiency);
  const double share = error / static_cast<double>(std::max(tests, logs.size()));
  const double of_centre = std::sqrt(1 + std::numbers::pi / (2 * members));
  fleet.bound = fleet.centre + fleet.scatter * of_centre *
                                   boost::math::quantile(boost::math::complement(distribution, share));
  return fleet;
}

}  // namespace benchctl::stats

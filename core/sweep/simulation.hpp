// Search strategies on a space whose times are known: what would they have found, and when?
#pragma once

#include "sweep/strategy.hpp"

#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace benchctl {

struct RecordedSpace {
  /// Without `possible`, which are the points that `cost` has.
  SearchSpace space;
  std::map<Coordinates, std::optional<double>> cost;  ///< nothing: it failed
};

/// The lowest cost after each of up to `most` points, infinite before the first that did not fail. Points
/// are proposed in batches, as in a run. A cost of `enough` ends the search.
[[nodiscard]] std::vector<double> simulate_search(const StrategyInfo& info, const RecordedSpace& recorded,
                                                  std::uint64_t seed, std::size_t most,
                                                  double enough = -std::numeric_limits<double>::infinity());

}  // namespace benchctl

#include "sweep/simulation.hpp"

#include <algorithm>

namespace benchctl {

std::vector<double> simulate_search(const StrategyInfo& info, const RecordedSpace& recorded,
                                    std::uint64_t seed, std::size_t most, double enough) {
  SearchSpace space = recorded.space;
  space.possible = [&](const Coordinates& point) { return recorded.cost.contains(point); };
  const auto strategy = info.make(space, seed);
  std::vector<double> best;
  double least = std::numeric_limits<double>::infinity();
  while (best.size() < most && least > enough) {
    const auto batch = strategy->next(std::min<std::size_t>(search_batch, most - best.size()));
    if (batch.empty()) break;
    for (const Coordinates& point : batch) {
      const std::optional<double> cost = recorded.cost.at(point);
      least = std::min(least, cost.value_or(least));
      best.push_back(least);
      strategy->learn(point, cost);
    }
  }
  return best;
}

}  // namespace benchctl

#include "sweep/strategy.hpp"

#include <array>

namespace benchctl {

bool next_places(std::vector<std::uint32_t>& places, const std::vector<std::uint32_t>& lengths) {
  for (std::size_t d = places.size(); d-- > 0;) {
    if (++places[d] < lengths[d]) return true;
    places[d] = 0;
  }
  return false;
}

double SearchSpace::size(std::size_t arm) const {
  double product = 1;
  for (const std::uint32_t length : arms[arm]) product *= length;
  return product;
}

double SearchSpace::size() const {
  double sum = 0;
  for (std::size_t arm = 0; arm < arms.size(); ++arm) sum += size(arm);
  return sum;
}

std::span<const StrategyInfo> strategies() {
  static constexpr std::array<StrategyInfo, 3> table{{
      {"all", "every point, in the order of the axes", 0, &make_exhaustive},
      {"random", "points drawn evenly, none twice", 100, &make_random},
      {"hill_climb",
       "from a random point to the best of its neighbours (one value one step further), until none is "
       "better; "
       "then from another one",
       100, &make_hill_climb},
  }};
  return table;
}

const StrategyInfo* find_strategy(std::string_view name) {
  for (const StrategyInfo& strategy : strategies()) {
    if (strategy.name == name) return &strategy;
  }
  return nullptr;
}

}  // namespace benchctl

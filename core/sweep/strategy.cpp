#include "sweep/strategy.hpp"

#include "model/words.hpp"
#include "sweep/point_draw.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

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

namespace {

/// Every point once, in the order of the axes.
class Exhaustive final : public Strategy {
 public:
  Exhaustive(const SearchSpace& space, std::uint64_t /*seed*/) : space_(space) { begin_arm(); }

  [[nodiscard]] std::vector<Coordinates> next(std::size_t most) override {
    std::vector<Coordinates> batch;
    while (batch.size() < most && at_.arm < space_.arms.size()) {
      if (space_.possible(at_)) batch.push_back(at_);
      if (next_places(at_.places, space_.arms[at_.arm])) continue;
      ++at_.arm;
      begin_arm();
    }
    return batch;
  }
  void learn(const Coordinates& /*point*/, std::optional<double> /*cost*/) override {}

 private:
  void begin_arm() {
    if (at_.arm < space_.arms.size()) at_.places.assign(space_.arms[at_.arm].size(), 0);
  }

  const SearchSpace& space_;
  Coordinates at_;
};

/// What others must beat.
class Random final : public Strategy {
 public:
  Random(const SearchSpace& space, std::uint64_t seed) : draw_(space, seed) {}

  [[nodiscard]] std::vector<Coordinates> next(std::size_t most) override {
    std::vector<Coordinates> batch;
    while (batch.size() < most) {
      auto point = draw_.draw();
      if (!point) break;
      batch.push_back(std::move(*point));
    }
    return batch;
  }
  void learn(const Coordinates& /*point*/, std::optional<double> /*cost*/) override {}

 private:
  PointDraw draw_;
};

/// Steepest descent with restarts: from a random point to the best of its neighbours, those with one value
/// one step further in its list, until none of them is better; then from another random point.
class HillClimb final : public Strategy {
 public:
  HillClimb(const SearchSpace& space, std::uint64_t seed) : space_(space), draw_(space, seed) {}

  [[nodiscard]] std::vector<Coordinates> next(std::size_t most) override {
    std::vector<Coordinates> batch;
    while (batch.size() < most) {
      if (!here_) {
        // A few starts side by side, as many as a step has neighbours: what is measured in turns is
        // measured alike.
        const std::size_t wanted = costs_.empty() ? std::max(starts, space_.first.size()) : starts;
        while (batch.size() < std::min(most, wanted)) {
          auto start = draw_.draw();
          if (!start) break;
          batch.push_back(std::move(*start));
        }
        pending_starts_ = batch;
        return batch;
      }
      for (Coordinates& neighbour : unknown_neighbours()) {
        if (batch.size() == most) break;
        draw_.take(neighbour);
        batch.push_back(std::move(neighbour));
      }
      if (!batch.empty()) return batch;
      step();
    }
    return batch;
  }

  void learn(const Coordinates& point, std::optional<double> cost) override {
    costs_[point] = cost.value_or(std::numeric_limits<double>::infinity());
    if (here_ || pending_starts_.empty()) return;
    const bool all_known = std::ranges::all_of(
        pending_starts_, [&](const Coordinates& start) { return costs_.contains(start); });
    if (!all_known) return;
    here_ = *std::ranges::min_element(pending_starts_, {},
                                      [&](const Coordinates& start) { return costs_.at(start); });
    pending_starts_.clear();
  }

 private:
  static constexpr std::size_t starts = 4;

  [[nodiscard]] std::vector<Coordinates> neighbours() const {
    std::vector<Coordinates> all;
    const auto& lengths = space_.arms[here_->arm];
    for (std::size_t d = 0; d < lengths.size(); ++d) {
      Coordinates neighbour = *here_;
      if (here_->places[d] > 0) {
        --neighbour.places[d];
        all.push_back(neighbour);
        ++neighbour.places[d];
      }
      if (here_->places[d] + 1 < lengths[d]) {
        ++neighbour.places[d];
        all.push_back(neighbour);
      }
    }
    return all;
  }

  [[nodiscard]] std::vector<Coordinates> unknown_neighbours() const {
    std::vector<Coordinates> unknown = neighbours();
    std::erase_if(unknown, [&](const Coordinates& neighbour) {
      return draw_.is_taken(neighbour) || !space_.possible(neighbour);
    });
    return unknown;
  }

  /// All neighbours are known: goes to the best of them, or lets go of this hill.
  void step() {
    const Coordinates* best = nullptr;
    double best_cost = costs_.at(*here_);
    const std::vector<Coordinates> around = neighbours();
    for (const Coordinates& neighbour : around) {
      const auto known = costs_.find(neighbour);
      if (known == costs_.end() || known->second >= best_cost) continue;
      best = &neighbour;
      best_cost = known->second;
    }
    here_ = best != nullptr ? std::optional(*best) : std::nullopt;
  }

  const SearchSpace& space_;
  PointDraw draw_;
  std::map<Coordinates, double> costs_;
  std::optional<Coordinates> here_;
  std::vector<Coordinates> pending_starts_;
};

template <class Kind>
std::unique_ptr<Strategy> make_strategy(const SearchSpace& space, std::uint64_t seed) {
  return std::make_unique<Kind>(space, seed);
}

}  // namespace

std::span<const StrategyInfo> strategies() {
  static constexpr std::array<StrategyInfo, 5> table{{
      {"all", "every point, in the order of the axes", 0, &make_strategy<Exhaustive>},
      {"random", "points drawn evenly, none twice", 100, &make_strategy<Random>},
      {"hill_climb",
       "from a random point to the best of its neighbours (one value one step further), until none is "
       "better; then from another one",
       100, &make_strategy<HillClimb>},
      {"genetic",
       "children of the best points so far, two at a time, with chance changes; what cannot run or is "
       "known "
       "is replaced by something close to it",
       100, &make_genetic},
      {"annealing",
       "several walks that also go to slower points, ever less often and in ever shorter steps; then again "
       "from the best of them",
       100, &make_annealing},
  }};
  return table;
}

const StrategyInfo* find_strategy(std::string_view name) {
  return find_by(strategies(), name, &StrategyInfo::name);
}

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

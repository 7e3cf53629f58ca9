// `hill_climb`: steepest descent with restarts. From a random point to the best of its neighbours, those
// with one value one step further in its list, until none of them is better; then from another random
// point.
#include "sweep/strategy.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace benchctl {

namespace {

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
    if (best != nullptr) {
      here_ = *best;
    } else {
      here_.reset();
    }
  }

  const SearchSpace& space_;
  PointDraw draw_;
  std::map<Coordinates, double> costs_;
  std::optional<Coordinates> here_;
  std::vector<Coordinates> pending_starts_;
};

}  // namespace

std::unique_ptr<Strategy> make_hill_climb(const SearchSpace& space, std::uint64_t seed) {
  return std::make_unique<HillClimb>(space, seed);
}

}  // namespace benchctl

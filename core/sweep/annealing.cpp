// Simulated annealing by several walks side by side. While it is hot a step may go anywhere along an axis
// and to a slower point; the colder it is, the shorter are the steps and the less is lost by one.
#include "sweep/point_draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace benchctl {

namespace {

class Annealing final : public Strategy {
 public:
  Annealing(const SearchSpace& space, std::uint64_t seed) : space_(space), draw_(space, seed) {}

  [[nodiscard]] std::vector<Coordinates> next(std::size_t most) override {
    std::vector<Coordinates> batch;
    const std::size_t wanted = costs_.empty() ? std::max(walks, space_.first.size()) : walks;
    for (std::size_t i = 0; i < wanted && batch.size() < most; ++i) {
      auto point = proposal(here_[i % walks]);
      if (!point) break;
      walk_of_[*point] = i % walks;
      batch.push_back(std::move(*point));
    }
    return batch;
  }

  void learn(const Coordinates& point, std::optional<double> cost) override {
    costs_[point] = cost.value_or(std::numeric_limits<double>::infinity());
    if (const auto walk = walk_of_.extract(point); !walk.empty()) {
      std::optional<Coordinates>& here = here_[walk.mapped()];
      if (goes_on(here, point)) here = point;
    }
    temperature_ *= cooling;
    if (temperature_ < coldest) begin_anew();
  }

 private:
  static constexpr std::size_t walks = 4;
  /// The share of its time that a step may lose, roughly.
  static constexpr double hottest = 0.05;
  static constexpr double coldest = 0.002;
  static constexpr double cooling = 0.95;  ///< per point: cold after 63
  static constexpr int most_steps = 64;

  /// A new point one step from there; any new point if the walk has no place yet or is surrounded by known
  /// ones.
  [[nodiscard]] std::optional<Coordinates> proposal(std::optional<Coordinates>& here) {
    for (int i = 0; i < most_steps && here && !here->places.empty(); ++i) {
      Coordinates there = step(*here);
      if (draw_.take_new(there)) return there;
      if (costs_.contains(there) && goes_on(here, there)) here = std::move(there);
    }
    return draw_.draw();
  }

  [[nodiscard]] Coordinates step(const Coordinates& here) {
    Dice& dice = draw_.dice();
    Coordinates there = here;
    const std::size_t d = dice.below(here.places.size());
    const std::uint32_t length = space_.arms[here.arm][d];
    std::uint32_t& place = there.places[d];
    if (dice.share() < temperature_ / hottest) {
      place = static_cast<std::uint32_t>(dice.below(length));
    } else {
      place = dice.below(2) == 0 ? std::min(place + 1, length - 1) : place - std::min(place, 1U);
    }
    return there;
  }

  /// Metropolis: always to what is not slower, else with a probability that falls with the loss.
  [[nodiscard]] bool goes_on(const std::optional<Coordinates>& here, const Coordinates& there) {
    const double cost = costs_.at(there);
    if (!std::isfinite(cost)) return false;
    if (!here || cost <= costs_.at(*here)) return true;
    return draw_.dice().share() < std::exp((1 - cost / costs_.at(*here)) / temperature_);
  }

  /// Heats up again. The best walk goes on, the others begin elsewhere.
  void begin_anew() {
    temperature_ = hottest;
    const auto cost = [&](const std::optional<Coordinates>& here) {
      return here ? costs_.at(*here) : std::numeric_limits<double>::infinity();
    };
    const auto best = std::ranges::min_element(here_, {}, cost);
    for (auto here = here_.begin(); here != here_.end(); ++here) {
      if (here != best) here->reset();
    }
  }

  const SearchSpace& space_;
  PointDraw draw_;
  std::map<Coordinates, double> costs_;         ///< infinite where a point failed
  std::map<Coordinates, std::size_t> walk_of_;  ///< where it was proposed and is not known yet
  std::array<std::optional<Coordinates>, walks> here_;
  double temperature_ = hottest;
};

}  // namespace

std::unique_ptr<Strategy> make_annealing(const SearchSpace& space, std::uint64_t seed) {
  return std::make_unique<Annealing>(space, seed);
}

}  // namespace benchctl

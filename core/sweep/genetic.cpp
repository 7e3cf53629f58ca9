// A genetic algorithm that repairs: children of good points, with chance changes. A child that cannot run,
// or that is known, is replaced by a point that differs from it in one place.
#include "sweep/point_draw.hpp"

#include <algorithm>
#include <utility>

namespace benchctl {

namespace {

class Genetic final : public Strategy {
 public:
  Genetic(const SearchSpace& space, std::uint64_t seed)
      : space_(space), draw_(space, seed), founders_(std::max(population, space.first.size())) {}

  [[nodiscard]] std::vector<Coordinates> next(std::size_t most) override {
    std::vector<Coordinates> batch;
    // A generation is small: the next one knows more.
    const bool founding = proposed_ < founders_;
    const std::size_t wanted = founding ? founders_ - proposed_ : population;
    while (batch.size() < std::min(most, wanted)) {
      auto point = founding ? draw_.draw() : child();
      if (!point) break;
      batch.push_back(std::move(*point));
    }
    proposed_ += batch.size();
    return batch;
  }

  /// The best points of all generations stay parents.
  void learn(const Coordinates& point, std::optional<double> cost) override {
    if (!cost) return;
    const auto place = std::ranges::upper_bound(parents_, *cost, {}, &Parent::first);
    parents_.insert(place, Parent(*cost, point));
    if (parents_.size() > population) parents_.pop_back();
  }

 private:
  using Parent = std::pair<double, Coordinates>;
  static constexpr std::size_t population = 8;
  static constexpr int most_children = 8;
  static constexpr int most_repairs = 32;

  /// Nothing if none is left that is possible and new.
  [[nodiscard]] std::optional<Coordinates> child() {
    for (int i = 0; i < most_children && !parents_.empty(); ++i) {
      Coordinates child = cross(parent(), parent());
      mutate(child);
      if (repair(child)) return child;
    }
    return draw_.draw();
  }

  /// The better of two that are drawn.
  [[nodiscard]] const Coordinates& parent() {
    const std::uint64_t one = draw_.dice().below(parents_.size());
    return parents_[std::min(one, draw_.dice().below(parents_.size()))].second;
  }

  /// Each place from one of the two; points of different arms have no places in common.
  [[nodiscard]] Coordinates cross(const Coordinates& one, const Coordinates& other) {
    Coordinates child = one;
    if (one.arm != other.arm) return child;
    for (std::size_t d = 0; d < child.places.size(); ++d) {
      if (draw_.dice().below(2) == 0) child.places[d] = other.places[d];
    }
    return child;
  }

  /// Changes one place on average.
  void mutate(Coordinates& child) {
    for (std::size_t d = 0; d < child.places.size(); ++d) {
      if (draw_.dice().below(child.places.size()) == 0) change(child, d);
    }
  }

  /// To a neighbour as often as to any value.
  void change(Coordinates& point, std::size_t d) {
    Dice& dice = draw_.dice();
    const std::uint32_t length = space_.arms[point.arm][d];
    std::uint32_t& place = point.places[d];
    if (dice.below(2) == 0) {
      place = static_cast<std::uint32_t>(dice.below(length));
    } else {
      place = dice.below(2) == 0 ? std::min(place + 1, length - 1) : place - std::min(place, 1U);
    }
  }

  [[nodiscard]] bool repair(Coordinates& child) {
    if (draw_.take_new(child)) return true;
    for (int i = 0; i < most_repairs && !child.places.empty(); ++i) {
      Coordinates close = child;
      change(close, draw_.dice().below(child.places.size()));
      if (!draw_.take_new(close)) continue;
      child = std::move(close);
      return true;
    }
    return false;
  }

  const SearchSpace& space_;
  PointDraw draw_;
  std::size_t founders_;  ///< so many points are drawn first
  std::size_t proposed_ = 0;
  std::vector<Parent> parents_;  ///< with their costs, the best first
};

}  // namespace

std::unique_ptr<Strategy> make_genetic(const SearchSpace& space, std::uint64_t seed) {
  return std::make_unique<Genetic>(space, seed);
}

}  // namespace benchctl

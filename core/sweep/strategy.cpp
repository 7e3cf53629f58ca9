#include "sweep/strategy.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace benchctl {

namespace {

constexpr double small_space = 65536;
/// With less than one possible point in so many, a space is better given by narrower axes.
constexpr int most_draws = 100'000;

}  // namespace

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

PointDraw::PointDraw(const SearchSpace& space, std::uint64_t seed)
    : space_(space), random_(seed * 0x9e3779b97f4a7c15U + 1), small_(space.size() <= small_space) {
  if (small_) list_all();
}

/// Evenly, and alike on every platform: the library's own distributions differ.
std::uint64_t PointDraw::below(std::uint64_t bound) {
  const std::uint64_t reject = (0 - bound) % bound;  // 2^64 mod bound: what would favour small numbers
  for (;;) {
    const std::uint64_t bits = random_();
    if (bits >= reject) return bits % bound;
  }
}

void PointDraw::list_all() {
  for (std::uint32_t arm = 0; arm < space_.arms.size(); ++arm) {
    const auto& lengths = space_.arms[arm];
    Coordinates point{arm, std::vector<std::uint32_t>(lengths.size(), 0)};
    do {
      remaining_.push_back(point);
    } while (next_places(point.places, lengths));
  }
  for (std::size_t i = remaining_.size(); i > 1; --i) std::swap(remaining_[i - 1], remaining_[below(i)]);
}

Coordinates PointDraw::any() {
  // An arm in proportion to its size, which may be beyond every integer.
  double at = static_cast<double>(below(std::uint64_t{1} << 53)) * 0x1p-53 * space_.size();
  Coordinates point;
  while (point.arm + 1 < space_.arms.size() && at >= space_.size(point.arm)) at -= space_.size(point.arm++);
  for (const std::uint32_t length : space_.arms[point.arm]) {
    point.places.push_back(static_cast<std::uint32_t>(below(length)));
  }
  return point;
}

std::optional<Coordinates> PointDraw::draw() {
  if (space_.arms.empty()) return std::nullopt;
  while (named_ < space_.first.size()) {
    const Coordinates& point = space_.first[named_++];
    if (is_taken(point) || !space_.possible(point)) continue;
    take(point);
    return point;
  }
  if (small_) {
    while (!remaining_.empty()) {
      Coordinates point = std::move(remaining_.back());
      remaining_.pop_back();
      if (!is_taken(point) && space_.possible(point)) {
        take(point);
        return point;
      }
    }
    return std::nullopt;
  }
  for (int i = 0; i < most_draws; ++i) {
    Coordinates point = any();
    if (!is_taken(point) && space_.possible(point)) {
      take(point);
      return point;
    }
  }
  return std::nullopt;
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

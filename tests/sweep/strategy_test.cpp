// Search strategies on spaces whose best point is known.
#include "sweep/strategy.hpp"
#include "support/catch.hpp"

using namespace benchctl;

namespace {

SearchSpace space_of(std::vector<std::vector<std::uint32_t>> arms) {
  return {std::move(arms), [](const Coordinates&) { return true; }};
}

/// A bowl with its bottom at (5, 2) of arm 0.
double bowl(const Coordinates& point) {
  if (point.arm != 0) return 1000;
  const double x = point.places[0] - 5.0;
  const double y = point.places[1] - 2.0;
  return 1 + x * x + 3 * y * y;
}

/// All that a strategy proposes, `most` in all, in batches.
std::vector<Coordinates> proposals(Strategy& strategy, std::size_t most, double (*cost)(const Coordinates&),
                                   std::size_t batch = 8) {
  std::vector<Coordinates> all;
  while (all.size() < most) {
    const auto next = strategy.next(std::min(batch, most - all.size()));
    if (next.empty()) break;
    for (const Coordinates& point : next) strategy.learn(point, cost(point));
    all.insert(all.end(), next.begin(), next.end());
  }
  return all;
}

}  // namespace

TEST_CASE("every strategy proposes possible points, none twice, and in the end all") {
  const StrategyInfo& info = GENERATE(from_range(strategies()));
  CAPTURE(info.name);
  SearchSpace space = space_of({{8, 4}, {3}, {}});
  space.possible = [](const Coordinates& point) {
    return point.arm != 0 || (point.places[0] + point.places[1]) % 3 != 0;
  };
  const auto strategy = info.make(space, 11);
  const auto all = proposals(*strategy, 1000, bowl);
  CHECK(std::set(all.begin(), all.end()).size() == all.size());
  for (const Coordinates& point : all) CHECK(space.possible(point));
  std::size_t possible = 4;
  for (std::uint32_t x = 0; x < 8; ++x) {
    for (std::uint32_t y = 0; y < 4; ++y) possible += space.possible({0, {x, y}}) ? 1 : 0;
  }
  CHECK(all.size() == possible);
}

TEST_CASE("the same seed and the same results give the same proposals") {
  const StrategyInfo& info = GENERATE(from_range(strategies()));
  CAPTURE(info.name);
  const SearchSpace space = space_of({{50, 40}, {30}});
  const auto first = proposals(*info.make(space, 3), 60, bowl);
  CHECK(proposals(*info.make(space, 3), 60, bowl) == first);
  if (info.name != "all") CHECK(proposals(*info.make(space, 4), 60, bowl) != first);
}

TEST_CASE("points that a space names are tried first, possible ones alone and each once") {
  const std::string_view name = GENERATE("random", "hill_climb", "genetic", "annealing");
  SearchSpace space = space_of({{50, 40}});
  const auto at = [](std::uint32_t x, std::uint32_t y) { return Coordinates{0, {x, y}}; };
  space.first = {at(1, 2), at(7, 7), at(3, 4), at(1, 2), at(5, 6), at(8, 9), at(2, 2)};
  space.possible = [&](const Coordinates& point) { return point != at(7, 7); };
  const auto strategy = find_strategy(name)->make(space, 1);
  std::vector<Coordinates> batch = strategy->next(16);
  REQUIRE(batch.size() >= 5);
  batch.resize(5);
  CHECK(batch == std::vector{at(1, 2), at(3, 4), at(5, 6), at(8, 9), at(2, 2)});
}

TEST_CASE("strategies that learn find the best point of a convex space around which much is impossible") {
  const std::string_view name = GENERATE("hill_climb", "genetic", "annealing");
  CAPTURE(name);
  SearchSpace space = space_of({{30, 20}, {40}});
  space.possible = [](const Coordinates& point) {
    return point.arm != 0 || (point.places[0] + point.places[1]) % 5 != 0 || point.places[0] % 2 == 0;
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto strategy = find_strategy(name)->make(space, seed);
    double best = std::numeric_limits<double>::infinity();
    for (const Coordinates& point : proposals(*strategy, 320, bowl, 16)) {
      CHECK(space.possible(point));
      best = std::min(best, bowl(point));
    }
    CHECK(best == 1);  // of 640 points; half of these searches would draw it
  }
}

TEST_CASE("points that fail are no reason to stop") {
  const StrategyInfo& info = GENERATE(from_range(strategies()));
  CAPTURE(info.name);
  const SearchSpace space = space_of({{30}});
  const auto strategy = info.make(space, 2);
  std::size_t tried = 0;
  for (auto batch = strategy->next(16); !batch.empty(); batch = strategy->next(16)) {
    for (const Coordinates& point : batch) {
      ++tried;
      strategy->learn(point, std::nullopt);
    }
  }
  CHECK(tried == 30);
}

TEST_CASE("a space beyond all enumeration is searched without listing it") {
  std::size_t asked = 0;
  SearchSpace space = space_of({std::vector<std::uint32_t>(6, 1000)});
  space.possible = [&](const Coordinates& point) {
    ++asked;
    return point.places[0] % 2 == 0;
  };
  CHECK(space.size() == 1e18);
  const std::string_view name = GENERATE("random", "hill_climb", "genetic", "annealing");
  const auto strategy = find_strategy(name)->make(space, 1);
  const auto all = proposals(
      *strategy, 200, [](const Coordinates& point) { return static_cast<double>(point.places[1]); }, 16);
  CHECK(all.size() == 200);
  CHECK(asked < 10'000);
  for (const Coordinates& point : all) CHECK(point.places[0] % 2 == 0);
}

TEST_CASE("a large space in which nothing is possible ends the search") {
  SearchSpace space = space_of({{1000, 1000, 1000}});
  space.possible = [](const Coordinates&) { return false; };
  const std::string_view name = GENERATE("random", "hill_climb", "genetic", "annealing");
  CHECK(find_strategy(name)->make(space, 1)->next(4).empty());
}

TEST_CASE("points are drawn evenly over arms of different sizes") {
  const SearchSpace space = space_of({{300, 300}, {100, 100}});  // 9 : 1
  const auto drawn = find_strategy("random")->make(space, 9)->next(4000);
  const auto second = std::ranges::count(drawn, 1U, &Coordinates::arm);
  CHECK(second > 300);
  CHECK(second < 500);
}

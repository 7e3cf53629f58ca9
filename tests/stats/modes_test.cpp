// Series with two modes, and others that only look so.
#include "stats/modes.hpp"
#include "stats/summary.hpp"
#include "support/catch.hpp"
#include "support/series.hpp"

#include <span>
#include <utility>

using namespace benchctl::stats;
using benchctl::test::Random;

namespace {

/// So many in a hundred at 31, the others at 19, with a scatter of 2 %.
std::vector<double> two_times(std::size_t n, int high_percent) {
  Random random(n);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    const bool high = static_cast<int>(i * 37 % 100) < high_percent;
    values.push_back((high ? 31 : 19) * (1 + 0.02 * random.normal()));
  }
  return values;
}

/// Each value so many times.
std::vector<double> counts(const std::vector<std::pair<double, std::size_t>>& parts) {
  std::vector<double> values;
  for (const auto& [value, times] : parts) values.insert(values.end(), times, value);
  return values;
}

double distances(std::span<const double> part) {
  double sum = 0;
  for (const double value : part) sum += std::abs(value - median(part));
  return sum;
}

}  // namespace

TEST_CASE("two modes are found with their shares and visits") {
  const auto modes = two_modes(two_times(200, 30));
  REQUIRE(modes);
  CHECK_THAT(modes->low, WithinRel(19.0, 0.01));
  CHECK_THAT(modes->high, WithinRel(31.0, 0.01));
  CHECK_THAT(modes->high_share, WithinRel(0.3, 1e-12));
  // Thirty-seven steps at a time around a circle of a hundred.
  CHECK(modes->visits > 80);
  std::vector<double> in_order(60, 19.0);
  in_order.insert(in_order.end(), 40, 31.0);
  for (std::size_t i = 0; i < in_order.size(); ++i) in_order[i] *= 1 + 1e-4 * static_cast<double>(i);
  const auto ordered = two_modes(in_order);
  REQUIRE(ordered);
  CHECK(ordered->low == in_order[30]);
  CHECK(ordered->high == in_order[80]);
  CHECK(ordered->visits == 2);
  // The first sample alone was high.
  std::ranges::rotate(in_order, in_order.end() - 1);
  CHECK(two_modes(in_order).value().visits == 3);
  in_order.push_back(19.0);  // no sample of the series
  CHECK(two_modes(std::span(in_order).first(100)).value().visits == 3);
}

TEST_CASE("the cut between two modes leaves the least distances from their medians") {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<double> values;
    for (std::size_t i = 0; i < 60; ++i)
      values.push_back(i < 15 + seed % 30 ? 10 + random.normal() : 20 + 2 * random.normal());
    const auto modes = two_modes(values);
    if (!modes) continue;
    ++found;
    std::ranges::sort(values);
    const std::span<const double> sorted = values;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t cut = 6; cut <= 54; ++cut) {
      const double cost = distances(sorted.first(cut)) + distances(sorted.subspan(cut));
      if (cost < least) best = cut;
      least = std::min(least, cost);
    }
    CAPTURE(seed);
    CHECK_THAT(modes->high_share, WithinRel(static_cast<double>(60 - best) / 60, 1e-12));
  }
  CHECK(found > 50);
}

TEST_CASE("a tenth of the samples makes a mode, less does not") {
  CHECK(two_modes(two_times(400, 12)));
  CHECK_FALSE(two_modes(two_times(400, 5)));
  // 20.5 makes a fine lattice. Equal samples are not cut apart to make up a tenth.
  CHECK(two_modes(counts({{10, 40}, {20, 359}, {20.5, 1}})));
  CHECK_FALSE(two_modes(counts({{10, 39}, {20, 360}, {20.5, 1}})));
  CHECK(two_modes(counts({{9.5, 1}, {10, 359}, {20, 40}})));
  CHECK_FALSE(two_modes(counts({{9.5, 1}, {10, 360}, {20, 39}})));
}

TEST_CASE("between modes are few samples, by a sign test at 0.1 %") {
  // P(B ≥ 16) of 18 fair coins is 0.07 %, P(B ≥ 15) of 17 is 0.12 %.
  const auto modes = two_modes(counts({{10, 16}, {15, 1}, {15.5, 1}, {20, 16}}));
  REQUIRE(modes);
  CHECK(modes->low == 10);
  CHECK(modes->high == 20);
  CHECK(modes->high_share == 18.0 / 34);  // of cuts that are as good, the lowest
  CHECK_FALSE(two_modes(counts({{10, 15}, {15, 1}, {15.5, 1}, {20, 16}})));
  CHECK_FALSE(two_modes(counts({{10, 16}, {15, 1}, {15.5, 1}, {20, 15}})));
  // Beside the middle third they belong to their mode.
  CHECK(two_modes(counts({{10, 16}, {13, 3}, {17, 3}, {20, 15}, {20.5, 1}})));
}

TEST_CASE("one hump is not called two, and few samples tell nothing") {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    std::vector<double> normal;
    std::vector<double> exponential;
    std::vector<double> uniform;
    for (std::size_t i = 0; i < 20 + seed; ++i) {
      normal.push_back(1 + 0.03 * random.normal());
      exponential.push_back(1 - 0.05 * std::log(random.uniform()));
      uniform.push_back(random.uniform());
    }
    found += (two_modes(normal) ? 1 : 0) + (two_modes(exponential) ? 1 : 0) + (two_modes(uniform) ? 1 : 0);
  }
  CHECK(found <= 5);
  CHECK_FALSE(two_modes(two_times(12, 50)));
  CHECK_FALSE(two_modes(std::vector<double>{1}));
  CHECK_FALSE(two_modes(std::vector<double>(100, 3.0)));
}

TEST_CASE("steps of a timer are not modes") {
  std::vector<double> steps;
  for (int i = 0; i < 200; ++i) steps.push_back(i % 2 == 0 ? 10 : 11);
  CHECK_FALSE(two_modes(steps));
  CHECK_FALSE(two_modes(counts({{10, 30}, {11, 1}, {15, 30}})));
  CHECK(two_modes(counts({{10, 30}, {11, 1}, {16, 30}})));
  for (const auto& kind : benchctl::test::series_kinds()) {
    if (kind.name == "quantised") CHECK_FALSE(two_modes(benchctl::test::draw_series(kind, 500, 0.03, 1)));
    if (kind.name == "bimodal") CHECK(two_modes(benchctl::test::draw_series(kind, 500, 0.03, 1)));
  }
}

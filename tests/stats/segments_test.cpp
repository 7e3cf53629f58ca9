// Segments of a series, and the noise about them.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/level_noise.hpp"
#include "stats/segments.hpp"
#include "stats/summary.hpp"
#include "support/series.hpp"

#include <limits>

using namespace benchctl::stats;
using namespace benchctl::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Starts = std::vector<std::size_t>;

double cost_of(std::span<const double> part) {
  double sum = 0;
  for (const double value : part) sum += std::abs(value - median(part));
  return sum;
}

/// Least cost over all ways to cut what is left, one after the other.
double least_cost(std::span<const double> values, std::size_t from, double penalty,
                  const SegmentLengths& lengths) {
  const std::size_t n = values.size();
  if (from == n) return 0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t to = from + 1; to <= n; ++to) {
    const bool at_end = from == 0 || to == n;
    if (to - from < (at_end ? lengths.end : lengths.inner) && to - from < n) continue;
    best = std::min(best, cost_of(values.subspan(from, to - from)) + penalty +
                              least_cost(values, to, penalty, lengths));
  }
  return best;
}

double cost_of(std::span<const double> values, const Starts& starts, double penalty) {
  double sum = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t to = i + 1 < starts.size() ? starts[i + 1] : values.size();
    sum += penalty + cost_of(values.subspan(starts[i], to - starts[i]));
  }
  return sum;
}

}  // namespace

TEST_CASE("segments are the cheapest of all ways to cut a series") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    std::vector<double> values;
    for (std::size_t i = 0; i < 8 + seed % 6; ++i) values.push_back(random.normal() + (i > 4 ? 3 : 0));
    const double penalty = 0.3 + static_cast<double>(seed % 4);
    const Starts starts = robust_segments(values, penalty, {});
    CAPTURE(seed);
    CHECK(starts.front() == 0);
    CHECK_THAT(cost_of(values, starts, penalty), WithinAbs(least_cost(values, 0, penalty, {}), 1e-9));
  }
}

TEST_CASE("segments have their least lengths, and single odd values are not cut out") {
  const std::vector<double> odd{1, 1, 1, 9, 1, 1, 1, 1, 1};
  CHECK(robust_segments(odd, 2, {}) == Starts{0});
  CHECK(robust_segments(odd, 2, {1, 1}) == Starts{0, 3, 4});
  const std::vector<double> last{1, 1, 1, 1, 9, 9};
  CHECK(robust_segments(last, 2, {}) == Starts{0, 3});
  CHECK(robust_segments(last, 2, {2, 4}) == Starts{0, 4});
  const std::vector<double> bump{1, 1, 1, 9, 9, 9, 1, 1, 1};
  CHECK(robust_segments(bump, 2, {}).size() < 3);
  CHECK(robust_segments(bump, 2, {3, 3}) == Starts{0, 3, 6});
  CHECK(robust_segments(std::vector<double>{}, 1, {}).empty());
  CHECK(robust_segments(std::vector<double>{1, 9}, 1, {}) == Starts{0});
  CHECK(robust_segments(std::vector<double>{1}, 1, {}) == Starts{0});
  // A cut that gains as much as it costs is made.
  CHECK(robust_segments(std::vector<double>{1, 1, 1, 2, 2, 2}, 3, {}) == Starts{0, 3});
  CHECK(robust_segments(std::vector<double>{1, 1, 1, 2, 2, 2}, 3.1, {}) == Starts{0});
}

TEST_CASE("the mean of dependent neighbours varies as much as the formula says") {
  LevelNoise noise;
  noise.lag1 = 0.5;
  CHECK_THAT(noise.mean_variance(1), WithinRel(1.0, 1e-12));
  CHECK_THAT(noise.mean_variance(2), WithinRel((2 + 2 * 0.5) / 4, 1e-12));
  CHECK_THAT(noise.mean_variance(3), WithinRel((3 + 4 * 0.5 + 2 * 0.25) / 9, 1e-12));
  noise.lag1 = 0;
  CHECK_THAT(noise.mean_variance(7), WithinRel(1.0 / 7, 1e-12));
}

TEST_CASE("noise is found whatever a few values do, and is never below the errors") {
  std::vector<double> residuals = draw_series(series_kinds()[0], 400, 0.02, 3);
  for (double& value : residuals) value -= 1;
  const std::vector<double> none(400, 0.0);
  const LevelNoise plain = level_noise(residuals, 1, none);
  CHECK_THAT(plain.scatter, WithinRel(0.02, 0.1));
  CHECK(plain.lag1 == LevelNoise::least_lag1);
  for (std::size_t i = 5; i < 400; i += 40) residuals[i] = 5;
  CHECK_THAT(level_noise(residuals, 1, none).scatter, WithinRel(0.02, 0.2));
  CHECK_THAT(level_noise(residuals, 1, std::vector<double>(400, 0.1)).scatter, WithinRel(0.1, 1e-12));
  std::vector<double> dependent = draw_series(dependent_kind(0.8), 400, 0.02, 4);
  for (double& value : dependent) value -= 1;
  CHECK_THAT(level_noise(dependent, 1, none).lag1, WithinAbs(0.8, 0.08));
  // Turns of four among 16: a correlation of (12 − 3) / 16, the bias of one level, half a standard error.
  std::vector<double> turns;
  for (int i = 0; i < 16; ++i) turns.push_back(i / 4 % 2 == 0 ? 1 : -1);
  CHECK_THAT(level_noise(turns, 1, std::vector<double>(16, 0.0)).lag1,
             WithinRel(9.0 / 16 + (1 + 9.0 / 4) / 16 + std::sqrt(1 - 81.0 / 256) / 8, 1e-12));
  // Ten neighbours alike and five not, with the bias of two levels; the unit does not matter.
  std::vector<double> unequal;
  for (const std::size_t length : {3, 3, 3, 3, 2, 2})
    unequal.insert(unequal.end(), length, unequal.empty() || unequal.back() < 0 ? 0.01 : -0.01);
  CHECK_THAT(level_noise(unequal, 2, std::vector<double>(16, 0.0)).lag1,
             WithinRel(5.0 / 16 + 2 * (1 + 5.0 / 4) / 16 + std::sqrt(1 - 25.0 / 256) / 8, 1e-12));
  CHECK(level_noise(std::vector<double>(16, 1.0), 1, std::vector<double>(16, 0.0)).lag1 == 0.95);
  // Most residuals equal: the scatter comes from the others, and is not 0.
  std::vector<double> equal(20, 0.0);
  equal[3] = 1;
  // The mean distance, 0.05, is where it is clipped at 2.5 times that.
  CHECK_THAT(level_noise(equal, 1, std::vector<double>(20, 0.0)).scatter,
             WithinRel(0.125 / std::sqrt(0.9776 * 19), 1e-12));
}

TEST_CASE("residuals that a fit made 0 tell no scatter, and far ones are clipped") {
  // Beyond the two of the fit the median distance is 2, of a normal distribution with 2 / 0.67449.
  const std::vector<double> residuals{0, 1, -2, 30, 0};
  const LevelNoise noise = level_noise(residuals, 2, std::vector<double>(5, 0.0));
  const double limit = 2.5 * 2 / 0.6744897501960817;
  CHECK_THAT(noise.scatter, WithinRel(std::sqrt((1 + 4 + limit * limit) / 0.9776 / 3), 1e-12));
  CHECK_THAT(noise.degrees, WithinRel(0.8 * 3, 1e-12));
  CHECK(level_noise(residuals, 4, std::vector<double>(5, 0.0)).degrees == 1);
  const std::vector<double> smaller{0, 0.01, -0.02, 0.3, 0};
  CHECK_THAT(level_noise(smaller, 2, std::vector<double>(5, 0.0)).scatter,
             WithinRel(0.01 * noise.scatter, 1e-12));
  // Neighbours of unlike signs.
  CHECK(noise.lag1 == LevelNoise::least_lag1);
  const LevelNoise none = level_noise(std::vector<double>(5, 0.0), 1, std::vector<double>(5, 0.0));
  CHECK(none.scatter == 0);
  CHECK_THAT(none.lag1, WithinRel(std::max(0.5, 1.0 / 5 + std::sqrt(1.0 / 5) / 2), 1e-12));
}

TEST_CASE("p-values and intervals of the noise are Student's") {
  LevelNoise noise;
  noise.degrees = 2;
  // Two degrees: p = 1 - t / sqrt(2 + t²), and the 99 % quantile is 6.9646.
  CHECK_THAT(noise.p_value(-3), WithinRel(1 - 3 / std::sqrt(11.0), 1e-9));
  CHECK(noise.p_value(std::numeric_limits<double>::infinity()) == 0);
  CHECK_THAT(noise.half_interval(), WithinRel(6.964556734, 1e-8));
}

// The spread of medians from run to run, on simulated runs.
#include "stats/between_runs.hpp"
#include "stats/multiplicity.hpp"
#include "stats/verdict.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

using namespace benchctl::stats;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Runs of one program: each point has a spread of its own, from a third to three times `deviation`.
class Simulation {
 public:
  Simulation(std::uint64_t seed, std::size_t points, double deviation) : random_(seed) {
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < points; ++i)
      deviations_.push_back(deviation * std::exp(0.5 * normal(random_)));
  }

  /// Is any point of run 1 called different from run 0, by the spread in `runs` runs before these?
  bool differs(std::size_t runs, double slowdown) {
    std::normal_distribution<double> normal;
    std::vector<RunSpread> spreads;
    std::vector<double> ratios;
    for (const double deviation : deviations_) {
      std::vector<RunMedian> medians(runs + 1);
      for (RunMedian& median : medians) median.log_median = deviation * normal(random_);
      spreads.push_back(successive_spread(medians));
      // The last of them is the base.
      ratios.push_back(std::exp(deviation * normal(random_) - medians.back().log_median) * slowdown);
    }
    const double level = bonferroni_confidence(0.95, ratios.size());
    bool any = false;
    const std::vector<RunSpread> common = moderated(spreads);
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      const RatioEstimate within{0, ratios[i], {ratios[i], ratios[i]}, 1};
      const RatioEstimate ratio{0, ratios[i], with_spread(within, common[i], 1, 1, level), 1};
      const Verdict verdict = judge(ratio, 0.01);
      any = any || verdict == Verdict::slower || verdict == Verdict::faster;
    }
    return any;
  }

 private:
  std::mt19937_64 random_;
  std::vector<double> deviations_;
};

int counted(std::size_t runs, std::size_t points, double deviation, double slowdown, int rounds) {
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    Simulation simulation(static_cast<std::uint64_t>(round) + 1, points, deviation);
    found += simulation.differs(runs, slowdown) ? 1 : 0;
  }
  return found;
}

}  // namespace

TEST_CASE("successive differences see scatter, and little of a step") {
  const std::vector<RunMedian> three{{0, 1}, {0.02, 1}, {0, 1}};
  CHECK_THAT(successive_spread(three).deviation, WithinRel(0.02 / std::sqrt(2), 1e-12));
  CHECK_THAT(successive_spread(three).freedom, WithinRel(8.0 / 5, 1e-12));
  // Medians of four processes scatter half as much as those of one.
  const std::vector<RunMedian> of_four{{0, 4}, {0.02, 4}, {0, 4}};
  CHECK_THAT(successive_spread(of_four).deviation, WithinRel(0.02 * std::sqrt(2), 1e-12));
  CHECK(successive_spread({three.data(), 2}).freedom == 0);
  std::vector<RunMedian> stepped(20);
  for (std::size_t i = 0; i < stepped.size(); ++i) stepped[i].log_median = i < 10 ? 0 : 0.1;
  CHECK(successive_spread(stepped).deviation == 0);
  // Squares over both variances 1 and 1/2, 1/2 and 1, 1 and 1: 0.00015, 0.0006 and 0.0002; the largest is
  // left out. Of three squares of normal numbers the largest is 1 + 2√3 / π on average.
  const std::vector<RunMedian> four{{0, 1}, {0.015, 2}, {-0.015, 1}, {0.005, 1}};
  const double expected = 2 - 2 * std::sqrt(3) / std::numbers::pi;
  CHECK_THAT(successive_spread(four).deviation, WithinRel(std::sqrt(0.00035 / expected), 1e-9));
  CHECK_THAT(successive_spread(four).freedom, WithinRel(2 * 9.0 / 8 * 2 / 3, 1e-12));
  // On average the variance is right, or, since neighbouring differences depend on each other, somewhat
  // large.
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const std::size_t count : {std::size_t{3}, std::size_t{4}, std::size_t{12}}) {
    double variance = 0;
    for (int round = 0; round < 20'000; ++round) {
      std::vector<RunMedian> runs(count);
      for (RunMedian& run : runs) run.log_median = normal(random);
      const double deviation = successive_spread(runs).deviation;
      variance += deviation * deviation / 20'000;
    }
    CAPTURE(count);
    CHECK(variance > 0.97);
    CHECK(variance < 1.2);
  }
}

TEST_CASE("processes of several runs are pooled around the mean of each") {
  const std::vector<std::vector<double>> runs{{1.0, 1.2}, {5.0, 5.2, 5.4}, {9.0}};
  CHECK_THAT(pooled_spread(runs).deviation, WithinRel(std::sqrt((0.02 + 0.08) / 3), 1e-9));
  CHECK(pooled_spread(runs).freedom == 3);
  const std::vector<std::vector<double>> two{{}, {1.0, 1.2}};
  CHECK_THAT(pooled_spread(two).deviation, WithinRel(std::sqrt(0.02), 1e-9));
  CHECK(pooled_spread(two).freedom == 1);
  CHECK(pooled_spread({}).freedom == 0);
}

TEST_CASE("spreads are drawn towards what is common, the more the alike they are") {
  // All alike: what is common is taken for known, as well as all together know it.
  const std::vector<RunSpread> alike(10, RunSpread{0.02, 4});
  for (const RunSpread& spread : moderated(alike)) {
    CHECK(spread.freedom == 40);
    // The mean of variances, whose typical value is below it: digamma(2) is 1 less Euler's constant.
    CHECK_THAT(spread.deviation, WithinRel(0.02 * std::sqrt(2 * std::exp(std::numbers::egamma - 1)), 1e-9));
  }
  // Far apart: each stays near its own.
  std::vector<RunSpread> apart;
  for (int i = 0; i < 8; ++i) apart.push_back({0.001 * std::pow(3, i), 30});
  apart.push_back({0, 0});
  const std::vector<RunSpread> result = moderated(apart);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK_THAT(result[i].deviation, WithinRel(apart[i].deviation, 0.3));
    CHECK(result[i].freedom > 30);
    CHECK(result[i].freedom < 32);
  }
  CHECK(result[8].freedom > 0);  // the unknown one has what is common
  // Logarithms of variances that scatter twice as much as by chance, π²/6 − 1 with four degrees of freedom:
  // what is common has four, too. A spread of 0 tells nothing of it.
  const double factor = std::exp(std::sqrt(2 * (std::numbers::pi * std::numbers::pi / 6 - 1)) / 2);
  const std::vector<RunSpread> scattered{{0.01, 4}, {0.01 * factor, 4}, {0.01 / factor, 4}, {0, 4}};
  const std::vector<RunSpread> halfway = moderated(scattered);
  for (std::size_t i = 0; i < scattered.size(); ++i) {
    CHECK_THAT(halfway[i].deviation,
               WithinRel(std::hypot(0.01, scattered[i].deviation) / std::sqrt(2), 1e-9));
    CHECK_THAT(halfway[i].freedom, WithinRel(8.0, 1e-9));
  }
  // Six runs are enough for each, five are not.
  const auto of_runs = [](std::size_t count) {
    std::vector<RunMedian> medians(count);
    for (std::size_t i = 0; i < count; ++i) medians[i].log_median = i % 2 == 0 ? 0 : 0.01;
    return moderated(std::vector<RunSpread>(3, successive_spread(medians)))[0].freedom ==
           successive_spread(medians).freedom;
  };
  CHECK(of_runs(5));
  CHECK_FALSE(of_runs(6));
  CHECK(moderated(std::vector<RunSpread>(3, {0.01, 2.5}))[0].freedom == 7.5);
  // Too few to tell what is common.
  const std::vector<RunSpread> two{{0.01, 4}, {0.02, 4}, {0, 4}, {0.01, 2}};
  CHECK(moderated(two)[0].freedom == 4);
}

TEST_CASE("an interval holds the spread of both sides, and is unknown without one") {
  const RatioEstimate within{0, 2, {1.99, 2.01}, 1};
  const Interval interval = with_spread(within, {0.01, infinite}, 1, 4, 0.95);
  const double half = 1.959963985 * 0.01 * std::sqrt(1.25);
  CHECK_THAT(interval.low, WithinRel(2 * std::exp(-half), 1e-9));
  CHECK_THAT(interval.high, WithinRel(2 * std::exp(half), 1e-9));
  // Student's: 4.302653 for two degrees of freedom.
  CHECK_THAT(with_spread(within, {0.01, 2}, 1, 1, 0.95).high,
             WithinRel(2 * std::exp(4.302652730 * 0.01 * std::sqrt(2)), 1e-9));
  CHECK(with_spread(within, {0, 1}, 1, 1, 0.95).low == 1.99);
  CHECK(with_spread(within, {0, 1}, 1, 1, 0.95).high == 2.01);
  CHECK_FALSE(with_spread(within, {}, 1, 1, 0.95).known());
}

TEST_CASE("runs of one build are seldom called different, and a slowdown is found") {
  // 19 points with a spread of 2 % (0.7 to 6 %); at most 5 of 100 comparisons may hold a difference that is
  // none.
  CHECK(counted(2, 19, 0.02, 1, 200) <= 18);
  CHECK(counted(5, 19, 0.02, 1, 200) <= 18);
  CHECK(counted(11, 19, 0.02, 1, 200) <= 18);
  CHECK(counted(5, 1, 0.02, 1, 200) <= 18);
  // All 5 % slower, with a spread of 1 %: found in 95 of 100.
  CHECK(counted(5, 19, 0.01, 1.05, 200) >= 190);
}

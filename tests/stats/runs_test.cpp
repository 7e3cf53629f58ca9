// The spread of medians from run to run, and comparisons in pairs that end when they are decided.
#include "stats/runs.hpp"
#include "support/catch.hpp"

#include <cstdio>
#include <numbers>
#include <random>

using namespace benchctl::stats;

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
      const RatioEstimate within{0, ratios[i], {ratios[i], ratios[i]}};
      const RatioEstimate ratio{0, ratios[i], with_spread(within, common[i], 1, 1, level)};
      const Verdict verdict = verdict_of(ratio, 0.01);
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

constexpr double threshold = 0.02;

struct Ended {
  std::vector<Verdict> verdicts;  ///< one per point
  std::size_t pairs = 0;

  [[nodiscard]] bool says(Verdict verdict) const {
    return std::ranges::find(verdicts, verdict) != verdicts.end();
  }
};

/// A whole comparison as `benchctl ab` makes it: medians of processes scatter by `spread`, those of the
/// numerator are `slowdown` times as long at the first point.
class Simulated {
 public:
  Simulated(std::uint64_t seed, std::size_t points, double spread)
      : random_(seed), spread_(spread), ratios_(points) {}

  Ended run(double slowdown, std::size_t most_pairs) {
    Looks looks;
    Ended ended;
    for (ended.pairs = 1;; ++ended.pairs) {
      for (std::size_t i = 0; i < ratios_.size(); ++i)
        ratios_[i].push_back(median(i == 0 ? slowdown : 1) / median(1));
      const bool last = ended.pairs == most_pairs;
      if (!looks.due(ended.pairs) && !last) continue;
      looks.look(ended.pairs);
      bool unconfirmed = false;
      ended.verdicts.clear();
      for (const std::vector<double>& ratios : ratios_) {
        const SequentialRatio found =
            sequential_verdict_of(ratios, looks.taken(), threshold, ratios_.size());
        ended.verdicts.push_back(found.verdict);
        unconfirmed = unconfirmed || found.unconfirmed;
      }
      if (last || ended.says(Verdict::slower) || !ended.says(Verdict::not_resolved)) return ended;
      if (unconfirmed) looks.confirm();
    }
  }

 private:
  double median(double centre) { return centre * std::exp(spread_ * normal_(random_)); }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double spread_;
  std::vector<std::vector<double>> ratios_;
};

/// Per cent of so many comparisons that say so.
double percent(Verdict verdict, std::size_t points, double spread, double slowdown,
               std::uint64_t comparisons = 2000) {
  std::uint64_t count = 0;
  for (std::uint64_t seed = 1; seed <= comparisons; ++seed) {
    count += Simulated(seed, points, spread).run(slowdown, 60).says(verdict) ? 1 : 0;
  }
  return 100.0 * static_cast<double>(count) / static_cast<double>(comparisons);
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
  const RatioEstimate within{0, 2, {1.99, 2.01}};
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

TEST_CASE("equal sides are called slower in at most 5 % of comparisons, however often one looks") {
  // Spreads for which 60 pairs decide soon, late, and not at all.
  for (const double spread : {0.003, 0.01, 0.03, 0.1}) {
    CAPTURE(spread);
    CHECK(percent(Verdict::slower, 1, spread, 1) <= 5);
    CHECK(percent(Verdict::faster, 1, spread, 1) <= 5);
  }
  CHECK(percent(Verdict::slower, 10, 0.01, 1, 500) <= 5);
  CHECK(percent(Verdict::slower, 10, 0.05, 1, 500) <= 5);
}

TEST_CASE("a slowdown of 5 % is found in 95 % and more at a spread of 1 % between processes") {
  CHECK(percent(Verdict::slower, 1, 0.01, 1.05) >= 95);
  CHECK(percent(Verdict::slower, 10, 0.01, 1.05, 500) >= 95);
  CHECK(percent(Verdict::faster, 1, 0.01, 1 / 1.05) >= 95);
}

TEST_CASE("equal sides are called the same once that is shown, and the end comes soon") {
  CHECK(percent(Verdict::same, 1, 0.01, 1) >= 95);
  std::size_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) pairs += Simulated(seed, 1, 0.01).run(1.05, 60).pairs;
  CHECK(pairs < 200 * 10);
}

TEST_CASE("a slowdown is said once a fresh pair confirms it") {
  const std::vector<double> four{1.05, 1.051, 1.049, 1.05};
  Looks looks;
  CHECK_FALSE(looks.due(3));
  REQUIRE(looks.due(4));
  looks.look(4);
  const SequentialRatio first = sequential_verdict_of(four, looks.taken(), threshold, 1);
  CHECK(first.unconfirmed);
  CHECK(first.verdict == Verdict::not_resolved);
  CHECK_THAT(first.ratio.ratio, WithinRel(1.05, 1e-6));
  looks.confirm();
  REQUIRE(looks.due(5));
  looks.look(5);
  std::vector<double> five = four;
  five.push_back(1.048);
  CHECK(sequential_verdict_of(five, looks.taken(), threshold, 1).verdict == Verdict::slower);
  // The fresh pair is not slower by the threshold.
  five.back() = 1.0199;
  const SequentialRatio refuted = sequential_verdict_of(five, looks.taken(), threshold, 1);
  CHECK(refuted.unconfirmed);
  CHECK(refuted.verdict == Verdict::not_resolved);
  // The look before was not one pair ago.
  five.back() = 1.048;
  CHECK(sequential_verdict_of(five, std::vector<std::size_t>{3, 5}, threshold, 1).unconfirmed);
  CHECK(sequential_verdict_of(five, std::vector<std::size_t>{5}, threshold, 1).unconfirmed);
  // The look before had the pairs and the share of the error that it had then.
  const std::vector<std::size_t> both{4, 5};
  CHECK(sequential_verdict_of(std::vector{1.03, 1.08, 1.05, 1.05, 1.05}, both, threshold, 1).verdict ==
        Verdict::slower);
  CHECK(sequential_verdict_of(std::vector{1.02, 1.08, 1.05, 1.05, 1.05}, both, threshold, 1).unconfirmed);
  // Faster needs no confirmation.
  const std::vector<double> faster{0.95, 0.951, 0.949, 0.95};
  CHECK(sequential_verdict_of(faster, std::vector<std::size_t>{4}, threshold, 1).verdict ==
        Verdict::faster);
}

TEST_CASE("looks come half as late again, and each spends its share of the error") {
  Looks looks;
  std::vector<std::size_t> due;
  for (std::size_t pairs = 1; pairs <= 32; ++pairs) {
    if (!looks.due(pairs)) continue;
    looks.look(pairs);
    due.push_back(pairs);
  }
  CHECK(due == std::vector<std::size_t>{4, 6, 9, 14, 21, 32});
  CHECK_THROWS_AS(looks.look(32), std::invalid_argument);
  // Student's t with three degrees of freedom at 1 − 0.05 / 2 and at 1 − 0.05 / 6, from tables.
  const std::vector<double> ratios{1.0, 1.02, 0.99, 1.03};
  const double error =
      std::log(
          sequential_verdict_of(ratios, std::vector<std::size_t>{4}, threshold, 1).ratio.interval.high /
          sequential_verdict_of(ratios, std::vector<std::size_t>{4}, threshold, 1).ratio.ratio) /
      4.17653;
  const SequentialRatio second =
      sequential_verdict_of(ratios, std::vector<std::size_t>{3, 4}, threshold, 1);
  CHECK_THAT(std::log(second.ratio.interval.high / second.ratio.ratio) / error, WithinRel(6.23154, 1e-3));
  // Three comparisons at the first look are as wide as one at the second.
  const SequentialRatio of_three = sequential_verdict_of(ratios, std::vector<std::size_t>{4}, threshold, 3);
  CHECK_THAT(of_three.ratio.interval.high, WithinRel(second.ratio.interval.high, 1e-12));
  CHECK_THROWS_AS(sequential_verdict_of(ratios, std::vector<std::size_t>{5}, threshold, 1),
                  std::invalid_argument);
  CHECK_THROWS_AS(sequential_verdict_of(ratios, {}, threshold, 1), std::invalid_argument);
}

TEST_CASE("what comparisons in pairs say, and after how many pairs", "[full]") {
  constexpr std::uint64_t comparisons = 10'000;
  std::printf("slower, same, faster, per cent; pairs\n");
  for (const double spread : {0.003, 0.01, 0.03}) {
    std::printf("| %.1f %%", 100 * spread);
    for (const double slowdown : {1.0, 1.02, 1.03, 1.05, 1.1}) {
      std::size_t slower = 0;
      std::size_t same = 0;
      std::size_t faster = 0;
      std::size_t pairs = 0;
      for (std::uint64_t seed = 1; seed <= comparisons; ++seed) {
        const Ended ended = Simulated(seed, 1, spread).run(slowdown, 60);
        slower += ended.says(Verdict::slower) ? 1 : 0;
        same += ended.says(Verdict::same) ? 1 : 0;
        faster += ended.says(Verdict::faster) ? 1 : 0;
        pairs += ended.pairs;
      }
      const auto percent_of = [&](std::size_t count) {
        return 100.0 * static_cast<double>(count) / comparisons;
      };
      std::printf(" | %.1f, %.1f, %.1f; %.1f", percent_of(slower), percent_of(same), percent_of(faster),
                  static_cast<double>(pairs) / comparisons);
      CHECK(percent_of(faster) <= 2.5);
      if (slowdown == 1) CHECK(percent_of(slower) <= 2.5);
    }
    std::printf(" |\n");
  }
}

// Comparisons in pairs that end when they are decided: scripted series of medians of processes.
#include "stats/sequential.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

using namespace benchctl::stats;
using Catch::Matchers::WithinRel;

namespace {

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
        const SequentialRatio found = judge_pairs(ratios, looks.taken(), threshold, ratios_.size());
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
  const SequentialRatio first = judge_pairs(four, looks.taken(), threshold, 1);
  CHECK(first.unconfirmed);
  CHECK(first.verdict == Verdict::not_resolved);
  CHECK_THAT(first.ratio.ratio, WithinRel(1.05, 1e-6));
  looks.confirm();
  REQUIRE(looks.due(5));
  looks.look(5);
  std::vector<double> five = four;
  five.push_back(1.048);
  CHECK(judge_pairs(five, looks.taken(), threshold, 1).verdict == Verdict::slower);
  // The fresh pair is not slower by the threshold.
  five.back() = 1.0199;
  const SequentialRatio refuted = judge_pairs(five, looks.taken(), threshold, 1);
  CHECK(refuted.unconfirmed);
  CHECK(refuted.verdict == Verdict::not_resolved);
  // The look before was not one pair ago.
  five.back() = 1.048;
  CHECK(judge_pairs(five, std::vector<std::size_t>{3, 5}, threshold, 1).unconfirmed);
  CHECK(judge_pairs(five, std::vector<std::size_t>{5}, threshold, 1).unconfirmed);
  // The look before had the pairs and the share of the error that it had then.
  const std::vector<std::size_t> both{4, 5};
  CHECK(judge_pairs(std::vector{1.03, 1.08, 1.05, 1.05, 1.05}, both, threshold, 1).verdict ==
        Verdict::slower);
  CHECK(judge_pairs(std::vector{1.02, 1.08, 1.05, 1.05, 1.05}, both, threshold, 1).unconfirmed);
  // Faster needs no confirmation.
  const std::vector<double> faster{0.95, 0.951, 0.949, 0.95};
  CHECK(judge_pairs(faster, std::vector<std::size_t>{4}, threshold, 1).verdict == Verdict::faster);
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
      std::log(judge_pairs(ratios, std::vector<std::size_t>{4}, threshold, 1).ratio.interval.high /
               judge_pairs(ratios, std::vector<std::size_t>{4}, threshold, 1).ratio.ratio) /
      4.17653;
  const SequentialRatio second = judge_pairs(ratios, std::vector<std::size_t>{3, 4}, threshold, 1);
  CHECK_THAT(std::log(second.ratio.interval.high / second.ratio.ratio) / error, WithinRel(6.23154, 1e-3));
  // Three comparisons at the first look are as wide as one at the second.
  const SequentialRatio of_three = judge_pairs(ratios, std::vector<std::size_t>{4}, threshold, 3);
  CHECK_THAT(of_three.ratio.interval.high, WithinRel(second.ratio.interval.high, 1e-12));
  CHECK_THROWS_AS(judge_pairs(ratios, std::vector<std::size_t>{5}, threshold, 1), std::invalid_argument);
  CHECK_THROWS_AS(judge_pairs(ratios, {}, threshold, 1), std::invalid_argument);
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

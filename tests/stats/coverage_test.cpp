// Do intervals cover the truth as often as they say? Seeded series whose true median is known. The stop
// rule is tested in tests/engine/coverage_test.cpp.
#include "stats/race.hpp"
#include "stats/ratio.hpp"
#include "stats/summary.hpp"
#include "support/catch.hpp"
#include "support/series.hpp"

#include <cstdint>
#include <functional>

using namespace benchctl::stats;
using namespace benchctl::test;

namespace {

constexpr double spread = 0.03;

using MakeInterval = std::function<Interval(const std::vector<double>&)>;

double share_covered(const SeriesKind& kind, std::size_t n, int series, const MakeInterval& make) {
  const double truth = kind.true_median(spread);
  int covered = 0;
  for (int i = 0; i < series; ++i) {
    const auto seed = static_cast<std::uint64_t>(i) * 7919 + n;
    const Interval interval = make(draw_series(kind, n, spread, seed));
    covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
  }
  return static_cast<double>(covered) / series;
}

Interval plain(const std::vector<double>& samples) { return median_interval(samples); }

Interval blocks(const std::vector<double>& samples) { return block_interval(samples); }

/// Pairs of rounds that share a level; the numerator takes `ratio` times as long.
RatioEstimate paired_rounds(std::uint64_t seed, std::size_t n, double ratio, double own_spread) {
  Random random(seed);
  RoundValues a;
  RoundValues b;
  for (std::size_t i = 0; i < n; ++i) {
    const double level = 1 + random.uniform();
    a[i] = ratio * level * std::exp(own_spread * random.normal());
    b[i] = level * std::exp(own_spread * random.normal());
  }
  return ratio_by_rounds(a, b, {}, 0.95);
}

}  // namespace

TEST_CASE("the interval of the median covers it in 93 to 97 of 100 continuous series") {
  for (const SeriesKind& kind : series_kinds()) {
    for (const std::size_t n : {6U, 10U, 30U, 100U, 300U}) {
      const bool small = n < 30;
      if (small && kind.name != "normal" && kind.name != "log-normal") continue;
      const double covered = share_covered(kind, n, small ? 4000 : 2000, plain);
      CAPTURE(kind.name, n, covered);
      CHECK(covered >= 0.93);
      if (kind.continuous) CHECK(covered <= 0.97);
    }
  }
}

TEST_CASE("the interval from blocks covers the median of independent, continuous series") {
  for (const SeriesKind& kind : series_kinds()) {
    if (!kind.continuous) continue;
    for (const std::size_t n : {std::size_t{6}, std::size_t{30}, std::size_t{300}}) {
      const double covered = share_covered(kind, n, 2000, blocks);
      CAPTURE(kind.name, n, covered);
      CHECK(covered >= 0.91);
      CHECK(covered <= 0.98);
    }
  }
}

TEST_CASE("where neighbours are alike, blocks that are longer than that hold what single samples do not") {
  const SeriesKind kind = dependent_kind(0.7);
  CHECK(share_covered(kind, 1000, 500, plain) < 0.75);
  CHECK(share_covered(kind, 1000, 500, blocks) >= 0.91);
  // Ten blocks of three are alike, too: that is no promise.
  CHECK(share_covered(kind, 30, 1000, blocks) < 0.85);
}

TEST_CASE("the interval of a ratio by rounds covers it, and equal variants are called equal") {
  for (const std::size_t rounds : {std::size_t{10}, std::size_t{40}}) {
    int covered = 0;
    int called_different = 0;
    int found = 0;
    constexpr int series = 2000;
    for (int i = 0; i < series; ++i) {
      const auto seed = static_cast<std::uint64_t>(i) * 104'729 + rounds;
      const RatioEstimate ratio = paired_rounds(seed, rounds, 1.3, 0.05);
      covered += ratio.interval.low <= 1.3 && 1.3 <= ratio.interval.high ? 1 : 0;
      found += verdict_of(ratio, 0.01) == Verdict::slower ? 1 : 0;
      const Verdict verdict = verdict_of(paired_rounds(seed, rounds, 1, 0.05), 0);
      called_different += verdict == Verdict::faster || verdict == Verdict::slower ? 1 : 0;
    }
    CAPTURE(rounds, covered, called_different);
    CHECK(covered >= 0.93 * series);
    CHECK(covered <= 0.97 * series);
    CHECK(called_different <= 0.065 * series);  // 5 %, and three standard errors
    CHECK(called_different >= 0.02 * series);
    CHECK(found >= 0.99 * series);
  }
}

TEST_CASE("the interval of a ratio of independent medians covers it") {
  int covered = 0;
  constexpr int series = 2000;
  const auto estimate = [](std::size_t n, double scatter, std::uint64_t seed) {
    const std::vector<double> samples = draw_series(series_kinds()[1], n, scatter, seed);
    return MedianEstimate{median(samples), median_interval(samples)};
  };
  for (int i = 0; i < series; ++i) {
    const auto seed = static_cast<std::uint64_t>(i) * 2;
    const Interval interval =
        ratio_of_medians(estimate(40, 0.2, seed), estimate(90, 0.1, seed + 1)).interval;
    covered += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
  }
  CHECK(covered >= 0.93 * series);
  CHECK(covered <= 0.97 * series);
}

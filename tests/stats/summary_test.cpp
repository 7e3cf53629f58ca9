// Values worked out by hand, boundaries and invariances of the estimators.
#include "stats/summary.hpp"
#include "support/catch.hpp"
#include "support/series.hpp"

#include <random>
#include <stdexcept>

using namespace benchctl::stats;
using benchctl::test::one_to;

TEST_CASE("median of odd and even counts, in any order") {
  CHECK(median(std::vector{3.0}) == 3);
  CHECK(median(std::vector{5.0, 1.0, 3.0}) == 3);
  CHECK(median(std::vector{8.0, 1.0, 3.0, 4.0}) == 3.5);
}

TEST_CASE("quantiles are of type 7") {
  const std::vector<double> values{40, 10, 20, 30};
  CHECK(quantile(values, 0) == 10);
  CHECK(quantile(values, 1) == 40);
  CHECK_THAT(quantile(values, 0.25), WithinRel(17.5, 1e-15));
  CHECK_THAT(quantile(values, 0.9), WithinRel(37.0, 1e-15));
  CHECK(quantile(std::vector{7.0}, 0.95) == 7);
  CHECK_THROWS_AS(quantile(values, -0.01), std::invalid_argument);
  CHECK_THROWS_AS(quantile(values, 1.01), std::invalid_argument);
  CHECK_THROWS_AS(quantile(values, std::nan("")), std::invalid_argument);
}

TEST_CASE("the mean keeps what a plain sum loses") {
  CHECK(mean(std::vector{1.0, 2.0, 6.0}) == 3);
  CHECK(mean(std::vector{1.0, 1e100, 1.0, -1e100}) == 0.5);
}

TEST_CASE("interval of the median interpolates between order statistics") {
  // n = 6: coverages 31/32 and 25/32; share 0.1; weight 5·0.1 / (1 + 4·0.1) = 5/14.
  const Interval six = median_interval(one_to(6));
  CHECK_THAT(six.low, WithinRel(1 + 5.0 / 14, 1e-12));
  CHECK_THAT(six.high, WithinRel(6 - 5.0 / 14, 1e-12));
  // n = 10: 1 − 22/1024 and 1 − 112/1024; share 29.2/90 (in 1024ths); weight 8s / (2 + 6s).
  const double share = (0.05 * 1024 - 22) / 90;
  const double weight = 8 * share / (2 + 6 * share);
  const Interval ten = median_interval(one_to(10));
  CHECK_THAT(ten.low, WithinRel(2 + weight, 1e-12));
  CHECK_THAT(ten.high, WithinRel(9 - weight, 1e-12));
  // Where a pair of order statistics has just the confidence asked for, it is the interval.
  const Interval exact = median_interval(one_to(6), 31.0 / 32);
  CHECK_THAT(exact.low, WithinRel(1.0, 1e-9));
  CHECK_THAT(exact.high, WithinRel(6.0, 1e-9));
}

TEST_CASE("no 95 % interval under six samples") {
  for (int n = 1; n <= 5; ++n) {
    const Interval interval = median_interval(one_to(n));
    CHECK(std::isnan(interval.low));
    CHECK(std::isnan(interval.high));
    CHECK_FALSE(interval.known());
    CHECK(std::isnan(relative_half_width(interval, 1)));
  }
  CHECK(median_interval(one_to(6)).known());
  // 2^-4 of each tail is left out by the extremes of five: enough for 93 %.
  CHECK(median_interval(one_to(5), 0.93).known());
  CHECK_FALSE(median_interval(one_to(1), 0.5).known());
  CHECK(median_interval(one_to(2), 0.5).low == 1);
  CHECK_THROWS_AS(median_interval(one_to(10), 0.49), std::invalid_argument);
  CHECK_THROWS_AS(median_interval(one_to(10), 1), std::invalid_argument);
}

TEST_CASE("relative half-width is half the interval over the estimate") {
  CHECK(relative_half_width({3, 5}, 4) == 0.25);
  CHECK(relative_half_width({-5, -3}, -4) == 0.25);
  CHECK(relative_half_width({4, 4}, 4) == 0);
  CHECK(relative_half_width({0, 0}, 0) == 0);
  CHECK(std::isinf(relative_half_width({-1, 1}, 0)));
  CHECK(std::isnan(relative_half_width({std::nan(""), std::nan("")}, 4)));
}

TEST_CASE("summary agrees with the single estimators; its median absolute deviation is not scaled") {
  const std::vector<double> values{9, 2, 4, 4, 7, 1, 30, 5};
  const Summary summary = summarize(values);
  CHECK(summary.n == 8);
  CHECK(summary.median == 4.5);
  CHECK(summary.minimum == 1);
  CHECK(summary.maximum == 30);
  CHECK(summary.mean == 7.75);
  CHECK(summary.mad == 2.5);  // deviations 0.5 0.5 0.5 2.5 2.5 3.5 4.5 25.5
  CHECK(summary.p5 == quantile(values, 0.05));
  CHECK(summary.p25 == quantile(values, 0.25));
  CHECK(summary.p75 == quantile(values, 0.75));
  CHECK(summary.p95 == quantile(values, 0.95));
  CHECK(summarize(std::vector{1.0, 2.0, 3.0, 4.0, 100.0}).mad == 1);  // deviations 2 1 0 1 97
}

TEST_CASE("the interval from blocks is Student's, around the median, from the medians of ten blocks") {
  // Blocks of three: medians 1 … 10, in any order. Mean 5.5, squares 82.5: √(82.5 / 9 / 10) = 0.957427,
  // times 2.262157, Student's t with nine degrees of freedom. The median of all is that of 1 … 10, each
  // three times.
  std::vector<double> values;
  for (const double middle : {3, 8, 1, 10, 5, 2, 9, 4, 7, 6}) values.insert(values.end(), 3, middle);
  const Interval ten = block_interval(values);
  CHECK_THAT(ten.low, WithinRel(5.5 - 2.165850, 1e-6));
  CHECK_THAT(ten.high, WithinRel(5.5 + 2.165850, 1e-6));
  // What a block holds beside its median does not matter.
  for (std::size_t i = 0; i < values.size(); i += 3) {
    values[i] -= 0.1;
    values[i + 1] += 0.1;
  }
  CHECK_THAT(block_interval(values).low, WithinRel(5.5 - 2.165850, 1e-6));
  // Another confidence: 3.249836 for 99 %.
  CHECK_THAT(block_interval(values, 0.99).high, WithinRel(5.5 + 3.111481, 1e-6));
  // Fewer samples than blocks: each is one. Two: 12.7062 · |difference| / 2.
  const Interval two = block_interval(std::vector<double>{1, 3});
  CHECK_THAT(two.low, WithinRel(2 - 12.7062, 1e-5));
  CHECK_THAT(two.high, WithinRel(2 + 12.7062, 1e-5));
  CHECK_FALSE(block_interval(std::vector<double>{1}).known());
  const Interval equal = block_interval(std::vector<double>{4, 4, 4});
  CHECK(equal.low == 4);
  CHECK(equal.high == 4);
  // Every sample is in a block: of 15 the blocks have one or two.
  std::vector<double> ones(15, 1.0);
  for (std::size_t i = 0; i < ones.size(); ++i) {
    std::vector<double> one_off = ones;
    one_off[i] = 2;
    CHECK(block_interval(one_off).high > 1);
  }
  CHECK_THROWS_AS(block_interval(ones, 1), std::invalid_argument);
  CHECK_THROWS_AS(block_interval({}), std::invalid_argument);
}

TEST_CASE("order does not matter, scale and shift go through") {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> draw(0, 1);
  std::vector<double> values(101);
  std::ranges::generate(values, [&] { return draw(random); });
  const Summary before = summarize(values);
  const Interval interval = median_interval(values);
  std::ranges::shuffle(values, random);
  const Summary shuffled = summarize(values);
  CHECK(shuffled.median == before.median);
  CHECK(median_interval(values).low == interval.low);
  CHECK(median_interval(values).high == interval.high);
  CHECK(shuffled.mean == before.mean);
  CHECK(shuffled.p95 == before.p95);

  std::vector<double> scaled = values;
  for (double& x : scaled) x *= 1024;
  CHECK(median_interval(scaled).low == 1024 * interval.low);
  CHECK(summarize(scaled).mad == 1024 * before.mad);

  std::vector<double> mirrored = values;
  for (double& x : mirrored) x = -x;
  CHECK(median_interval(mirrored).low == -interval.high);
  CHECK(median_interval(mirrored).high == -interval.low);
}

TEST_CASE("no sample, infinities and not-a-numbers are refused") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> refused{
      {}, {1, 2, infinity}, {-infinity, 1, 2, 3, 4, 5, 6}, {1, std::nan(""), 2}};
  for (const auto& values : refused) {
    CHECK_THROWS_AS(mean(values), std::invalid_argument);
    CHECK_THROWS_AS(median(values), std::invalid_argument);
    CHECK_THROWS_AS(quantile(values, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(median_interval(values), std::invalid_argument);
    CHECK_THROWS_AS(summarize(values), std::invalid_argument);
  }
}

TEST_CASE("known intervals overlap when they share a point") {
  CHECK(Interval{1, 2}.overlaps({2, 3}));
  CHECK(Interval{2, 3}.overlaps({1, 2}));
  CHECK(Interval{1, 9}.overlaps({4, 5}));
  CHECK_FALSE(Interval{1, 2}.overlaps({2.01, 3}));
  CHECK_FALSE(Interval{2.01, 3}.overlaps({1, 2}));
  CHECK_FALSE(Interval{std::nan(""), std::nan("")}.overlaps({1, 2}));
}

TEST_CASE("ratios need samples, all of them finite and above 0") {
  CHECK(have_ratios(std::vector{0.5, 3.0}));
  CHECK_FALSE(have_ratios({}));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    CHECK_FALSE(have_ratios(std::vector{1.0, bad}));
    CHECK_FALSE(have_ratios(std::vector{bad, 1.0}));
  }
}

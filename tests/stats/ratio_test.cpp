// Ratios of two times, their means, verdicts at their boundaries.
#include "stats/ratio.hpp"
#include "support/catch.hpp"

#include <numbers>
#include <stdexcept>

using namespace benchctl::stats;

namespace {

RatioEstimate times(double low, double ratio, double high) { return {30, ratio, {low, high}}; }

constexpr double quarter = 0.25;  // 1 + t and 1/(1 + t) are 1.25 and 0.8
const double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the ratio of two medians adds the errors of both") {
  // Logarithms 2 (−0.3, +0.8) and 1 (−0.6, +0.4): below √(0.3² + 0.4²), above √(0.8² + 0.6²).
  const MedianEstimate a{std::exp(2.0), {std::exp(1.7), std::exp(2.8)}};
  const MedianEstimate b{std::exp(1.0), {std::exp(0.4), std::exp(1.4)}};
  const RatioEstimate forth = ratio_of_medians(a, b);
  CHECK_THAT(forth.ratio, WithinRel(std::exp(1.0), 1e-12));
  CHECK_THAT(forth.interval.low, WithinRel(std::exp(0.5), 1e-12));
  CHECK_THAT(forth.interval.high, WithinRel(std::exp(2.0), 1e-12));
  CHECK(forth.n == 0);
  CHECK(ratio_of_medians(MedianEstimate{0.25, {0.2, 0.3}}, MedianEstimate{0.5, {0.4, 0.6}}).ratio == 0.5);
  const RatioEstimate back = ratio_of_medians(b, a);
  CHECK_THAT(back.ratio, WithinRel(forth.inverse().ratio, 1e-12));
  CHECK_THAT(back.interval.low, WithinRel(forth.inverse().interval.low, 1e-12));
  CHECK_THAT(back.interval.high, WithinRel(forth.inverse().interval.high, 1e-12));
}

TEST_CASE("a ratio without known ends has no interval") {
  const MedianEstimate good{2, {1, 3}};
  CHECK_FALSE(ratio_of_medians({2, {unknown, unknown}}, good).interval.known());
  CHECK_FALSE(ratio_of_medians(good, {2, {unknown, unknown}}).interval.known());
  CHECK_FALSE(ratio_of_medians({2, {0, 3}}, good).interval.known());
  CHECK_FALSE(ratio_of_medians(good, {2, {-1, 3}}).interval.known());
  CHECK(ratio_of_medians({2, {unknown, unknown}}, good).ratio == 1);
  CHECK_THROWS_AS(ratio_of_medians({0, {0, 1}}, good), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of_medians(good, {unknown, {1, 2}}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of_medians({INFINITY, {1, 2}}, good), std::invalid_argument);
}

TEST_CASE("the geometric mean and its interval by Student's t") {
  CHECK_THAT(geometric_mean(std::vector<double>{2, 8}), WithinRel(4.0, 1e-14));
  // Logarithms ln 2 and 3 ln 2: mean 2 ln 2, standard error ln 2, so t = 2 with one degree of freedom,
  // which is Cauchy's distribution: its 97.5 % quantile is tan(0.475 π).
  const RatioEstimate two = mean_ratio(std::vector<double>{2, 8});
  const double quantile = std::tan(0.475 * std::numbers::pi);
  CHECK(two.n == 2);
  CHECK_THAT(two.ratio, WithinRel(4.0, 1e-14));
  CHECK_THAT(two.interval.low, WithinRel(4 * std::pow(2.0, -quantile), 1e-9));
  CHECK_THAT(two.interval.high, WithinRel(4 * std::pow(2.0, quantile), 1e-9));
  // Three: 1, 2, 4 with mean ln 2, deviations ∓ln 2, standard error ln 2/√3; two degrees of freedom have
  // the quantile (2p − 1) / √(2p (1 − p)) = 0.95 / √(2·0.975·0.025).
  const RatioEstimate three = mean_ratio(std::vector<double>{4, 1, 2});
  const double half = 0.95 / std::sqrt(2 * 0.975 * 0.025) / std::sqrt(3.0);
  CHECK_THAT(three.interval.high, WithinRel(2 * std::pow(2.0, half), 1e-9));
  CHECK(mean_ratio(std::vector<double>{4, 1, 2}, 0.8).interval.high < three.interval.high);
}

TEST_CASE("inverting every ratio inverts the mean") {
  const RatioEstimate forth = mean_ratio(std::vector<double>{0.5, 1.25, 3, 0.8});
  const RatioEstimate back = mean_ratio(std::vector<double>{1 / 0.8, 1 / 3.0, 2, 0.8});
  CHECK_THAT(back.ratio, WithinRel(1 / forth.ratio, 1e-12));
  CHECK_THAT(back.interval.low, WithinRel(1 / forth.interval.high, 1e-12));
}

TEST_CASE("one ratio has no interval, equal ones no width") {
  CHECK_FALSE(mean_ratio(std::vector<double>{2}).interval.known());
  const RatioEstimate equal = mean_ratio(std::vector<double>{2, 2, 2});
  CHECK_THAT(equal.interval.low, WithinRel(2.0, 1e-12));
  CHECK_THAT(equal.interval.high, WithinRel(2.0, 1e-12));
  CHECK_THROWS_AS(mean_ratio(std::vector<double>{1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(mean_ratio(std::vector<double>{1, 2}, 1), std::invalid_argument);
  CHECK_THROWS_AS(geometric_mean({}), std::invalid_argument);
  CHECK_THROWS_AS(geometric_mean(std::vector<double>{-1}), std::invalid_argument);
}

TEST_CASE(
    "a tie lies within the threshold; faster and slower lie beside 1, their ratio beyond the threshold") {
  using enum Verdict;
  struct Case {
    double low, ratio, high;
    Verdict verdict;
  };
  // Also shown to differ, by less than matters.
  const std::vector<Case> ties{{0.9, 1, 1.1, same},          {0.8, 1, 1.25, same},
                               {1 / 1.25, 1, 1.2, same},     {1.01, 1.02, 1.03, same},
                               {0.97, 0.98, 0.99, same},     {0.799, 1, 1.1, not_resolved},
                               {0.9, 1, 1.251, not_resolved}};
  // The interval may reach into the threshold, not over 1. A ratio at the threshold is not beyond it.
  const std::vector<Case> others{{0.5, 0.6, 0.7, faster},
                                 {1.4, 1.5, 1.6, slower},
                                 {0.5, 0.7, 0.99, faster},
                                 {0.5, 0.7, 1.0, not_resolved},
                                 {1.01, 1.3, 1.6, slower},
                                 {1.0, 1.3, 1.6, not_resolved},
                                 {1.01, 1.25, 1.6, not_resolved},
                                 {0.5, 1 / 1.25, 0.99, not_resolved},
                                 {0.5, 0.85, 0.99, not_resolved},
                                 {1.01, 1.15, 1.6, not_resolved},
                                 {unknown, 3, unknown, not_resolved},
                                 {unknown, 1, unknown, not_resolved}};
  for (const std::vector<Case>& cases : {ties, others}) {
    for (const Case& one : cases) {
      CAPTURE(one.low, one.ratio, one.high);
      CHECK(verdict_of(times(one.low, one.ratio, one.high), quarter) == one.verdict);
    }
  }
}

TEST_CASE("without a practical threshold only the interval counts; a threshold that is none is refused") {
  CHECK(verdict_of(times(0.98, 0.99, 0.999), 0) == Verdict::faster);
  CHECK(verdict_of(times(1.001, 1.01, 1.02), 0) == Verdict::slower);
  CHECK(verdict_of(times(0.999, 1, 1.001), 0) == Verdict::not_resolved);
  CHECK(verdict_of(times(1, 1, 1), 0) == Verdict::same);
  for (const double bad : {-0.01, unknown, std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(verdict_of(times(1, 1, 1), bad), std::invalid_argument);
}

TEST_CASE("exchanging the two exchanges faster and slower") {
  const auto exchanged = [](Verdict verdict) {
    if (verdict == Verdict::faster) return Verdict::slower;
    return verdict == Verdict::slower ? Verdict::faster : verdict;
  };
  const std::vector<double> grid{0.5, 0.75, 0.9, 0.999, 1, 1.001, 1.1, 1.3, 2};
  for (const double low : grid) {
    for (const double ratio : grid) {
      for (const double high : grid) {
        if (low > ratio || ratio > high) continue;
        const RatioEstimate forth = times(low, ratio, high);
        CHECK(verdict_of(forth.inverse(), quarter) == exchanged(verdict_of(forth, quarter)));
      }
    }
  }
}

TEST_CASE("Bonferroni shares the error among the comparisons") {
  CHECK_THAT(bonferroni_confidence(0.95, 1), WithinRel(0.95, 1e-15));
  CHECK_THAT(bonferroni_confidence(0.95, 10), WithinRel(0.995, 1e-15));
  CHECK_THAT(bonferroni_confidence(0.9, 4), WithinRel(0.975, 1e-15));
  CHECK_THROWS_AS(bonferroni_confidence(0.95, 0), std::invalid_argument);
  CHECK_THROWS_AS(bonferroni_confidence(1, 2), std::invalid_argument);
}

TEST_CASE("a strict verdict needs the whole interval beyond the threshold") {
  const auto verdict = [](double low, double ratio, double high) {
    return strict_verdict_of({0, ratio, {low, high}}, 0.01);
  };
  CHECK(verdict(1.011, 1.02, 1.03) == Verdict::slower);
  CHECK(verdict(1.01, 1.02, 1.03) == Verdict::not_resolved);
  CHECK(verdict(1.005, 1.02, 1.03) == Verdict::not_resolved);
  CHECK(verdict_of({0, 1.02, {1.005, 1.03}}, 0.01) == Verdict::slower);
  CHECK(verdict(0.97, 0.98, 0.99) == Verdict::faster);
  CHECK(verdict(0.97, 0.98, 1 / 1.01) == Verdict::not_resolved);
  CHECK(verdict(0.97, 0.98, 0.995) == Verdict::not_resolved);
  CHECK(verdict(0.995, 1, 1.005) == Verdict::same);
}

// Verdicts at their boundaries, and corrections for many comparisons.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/multiplicity.hpp"
#include "stats/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

using namespace benchctl::stats;
using Catch::Matchers::WithinRel;

namespace {

RatioEstimate times(double low, double ratio, double high) { return {30, ratio, {low, high}, 0.5}; }

constexpr double quarter = 0.25;  // 1 + t and 1/(1 + t) are 1.25 and 0.8

}  // namespace

TEST_CASE("an interval within the threshold is a tie") {
  CHECK(judge(times(0.9, 1, 1.1), quarter) == Verdict::same);
  CHECK(judge(times(0.8, 1, 1.25), quarter) == Verdict::same);
  CHECK(judge(times(1 / 1.25, 1, 1.2), quarter) == Verdict::same);
  // Shown to differ, by less than matters.
  CHECK(judge(times(1.01, 1.02, 1.03), quarter) == Verdict::same);
  CHECK(judge(times(0.97, 0.98, 0.99), quarter) == Verdict::same);
  CHECK(judge(times(0.799, 1, 1.1), quarter) == Verdict::not_resolved);
  CHECK(judge(times(0.9, 1, 1.251), quarter) == Verdict::not_resolved);
}

TEST_CASE("faster and slower need an interval beside 1 and a ratio beyond the threshold") {
  CHECK(judge(times(0.5, 0.6, 0.7), quarter) == Verdict::faster);
  CHECK(judge(times(1.4, 1.5, 1.6), quarter) == Verdict::slower);
  // The interval may reach into the threshold, not over 1.
  CHECK(judge(times(0.5, 0.7, 0.99), quarter) == Verdict::faster);
  CHECK(judge(times(0.5, 0.7, 1.0), quarter) == Verdict::not_resolved);
  CHECK(judge(times(1.01, 1.3, 1.6), quarter) == Verdict::slower);
  CHECK(judge(times(1.0, 1.3, 1.6), quarter) == Verdict::not_resolved);
  // A ratio at the threshold is not beyond it.
  CHECK(judge(times(1.01, 1.25, 1.6), quarter) == Verdict::not_resolved);
  CHECK(judge(times(0.5, 1 / 1.25, 0.99), quarter) == Verdict::not_resolved);
  CHECK(judge(times(0.5, 0.85, 0.99), quarter) == Verdict::not_resolved);
  CHECK(judge(times(1.01, 1.15, 1.6), quarter) == Verdict::not_resolved);
}

TEST_CASE("without a practical threshold only the interval counts") {
  CHECK(judge(times(0.98, 0.99, 0.999), 0) == Verdict::faster);
  CHECK(judge(times(1.001, 1.01, 1.02), 0) == Verdict::slower);
  CHECK(judge(times(0.999, 1, 1.001), 0) == Verdict::not_resolved);
  CHECK(judge(times(1, 1, 1), 0) == Verdict::same);
}

TEST_CASE("no interval, no verdict; a threshold that is none is refused") {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  CHECK(judge(times(unknown, 3, unknown), quarter) == Verdict::not_resolved);
  CHECK(judge(times(unknown, 1, unknown), quarter) == Verdict::not_resolved);
  CHECK_THROWS_AS(judge(times(1, 1, 1), -0.01), std::invalid_argument);
  CHECK_THROWS_AS(judge(times(1, 1, 1), unknown), std::invalid_argument);
  CHECK_THROWS_AS(judge(times(1, 1, 1), std::numeric_limits<double>::infinity()), std::invalid_argument);
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
        CHECK(judge(forth.inverse(), quarter) == exchanged(judge(forth, quarter)));
      }
    }
  }
}

TEST_CASE("every verdict has a word of its own and a text") {
  std::set<std::string_view> ids;
  for (const VerdictInfo& entry : verdict_table) {
    CHECK(&info(entry.verdict) == &entry);
    CHECK(ids.insert(entry.id).second);
    CHECK(entry.doc.size() > 20);
    CHECK_FALSE(entry.label.empty());
  }
  CHECK(info(Verdict::slower).id == "slower");
}

TEST_CASE("Bonferroni shares the error among the comparisons") {
  CHECK_THAT(bonferroni_confidence(0.95, 1), WithinRel(0.95, 1e-15));
  CHECK_THAT(bonferroni_confidence(0.95, 10), WithinRel(0.995, 1e-15));
  CHECK_THAT(bonferroni_confidence(0.9, 4), WithinRel(0.975, 1e-15));
  CHECK_THROWS_AS(bonferroni_confidence(0.95, 0), std::invalid_argument);
  CHECK_THROWS_AS(bonferroni_confidence(1, 2), std::invalid_argument);
}

TEST_CASE("Holm's procedure multiplies the smallest p-value most, and keeps the order") {
  // Ascending: 0.01·4, 0.02·3, max(0.03·2, 0.06), max(0.5·1, …).
  const std::vector<double> adjusted = holm(std::vector{0.03, 0.01, 0.5, 0.02});
  CHECK_THAT(adjusted[0], WithinRel(0.06, 1e-12));
  CHECK_THAT(adjusted[1], WithinRel(0.04, 1e-12));
  CHECK_THAT(adjusted[2], WithinRel(0.5, 1e-12));
  CHECK_THAT(adjusted[3], WithinRel(0.06, 1e-12));
  // A later one never falls below an earlier one: 0.02·3 = 0.06 holds 0.025·2 = 0.05 up.
  const std::vector<double> held = holm(std::vector{0.02, 0.025, 0.9});
  CHECK_THAT(held[1], WithinRel(0.06, 1e-12));
  CHECK_THAT(held[2], WithinRel(0.9, 1e-12));
  CHECK(holm(std::vector{0.6, 0.7}) == std::vector<double>{1, 1});
  CHECK(holm(std::vector<double>{0.3}) == std::vector<double>{0.3});
  CHECK(holm(std::vector<double>{}).empty());
  CHECK(holm(std::vector<double>{0, 1}) == std::vector<double>{0, 1});
  CHECK_THROWS_AS(holm(std::vector{0.1, 1.1}), std::invalid_argument);
  CHECK_THROWS_AS(holm(std::vector{-0.1}), std::invalid_argument);
  CHECK_THROWS_AS(holm(std::vector{std::nan("")}), std::invalid_argument);
}

TEST_CASE("a strict verdict needs the whole interval beyond the threshold") {
  const auto verdict = [](double low, double ratio, double high) {
    return judge_strictly({0, ratio, {low, high}, 1}, 0.01);
  };
  CHECK(verdict(1.011, 1.02, 1.03) == Verdict::slower);
  CHECK(verdict(1.01, 1.02, 1.03) == Verdict::not_resolved);
  CHECK(verdict(1.005, 1.02, 1.03) == Verdict::not_resolved);
  CHECK(judge({0, 1.02, {1.005, 1.03}, 1}, 0.01) == Verdict::slower);
  CHECK(verdict(0.97, 0.98, 0.99) == Verdict::faster);
  CHECK(verdict(0.97, 0.98, 1 / 1.01) == Verdict::not_resolved);
  CHECK(verdict(0.97, 0.98, 0.995) == Verdict::not_resolved);
  CHECK(verdict(0.995, 1, 1.005) == Verdict::same);
}

// Autocorrelation, its integrated time, and intervals that are widened for it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/dependence.hpp"
#include "stats/modes.hpp"
#include "support/series.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace benchctl::stats;
using benchctl::test::one_to;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// Independent normal numbers, each `times` times in succession.
std::vector<double> repeated(std::size_t n, std::size_t times) {
  benchctl::test::Random random(n + times);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.insert(values.end(), times, 100 + random.normal());
  return values;
}

/// Times of a coarse timer, each so many times in succession.
std::vector<double> coarse(std::size_t n, std::size_t times, std::uint64_t seed) {
  benchctl::test::Random random(seed);
  std::vector<double> values;
  while (values.size() < n) values.insert(values.end(), times, std::round(4 * random.normal()));
  values.resize(n);
  return values;
}

/// Autocorrelation with the divisor n.
double correlation(const std::vector<double>& values, std::size_t lag) {
  const double center = mean(values);
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - center) * (values[i] - center);
    if (i >= lag) products += (values[i] - center) * (values[i - lag] - center);
  }
  return products / squares;
}

/// 1 … n without dependence, but that the largest form groups of these lengths, the first from `start` on.
std::vector<double> with_groups(std::size_t n, const std::vector<std::size_t>& lengths, std::size_t start) {
  constexpr std::size_t between = 7;
  const std::size_t others = n - std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  std::vector<double> values(n, 0.0);
  double largest = static_cast<double>(others);
  for (const std::size_t length : lengths) {
    for (std::size_t i = start; i < start + length; ++i) values[i] = ++largest;
    start += length + between;
  }
  std::size_t next = 0;
  for (double& value : values) {
    if (value > 0) continue;
    value = static_cast<double>(next + 1);
    next = (next + 23) % others;
  }
  return values;
}

/// Dependence that makes samples worth so many.
Dependence worth(std::size_t effective) { return Dependence::none(effective); }

}  // namespace

TEST_CASE("the correlation time adds pairs of lags while they are positive") {
  // 1 … 5 less 3 have the correlations 1, 0.4, −0.1, −0.4, −0.4: (1 + 0.4) counts, (−0.1 − 0.4) ends it.
  const CorrelationTime five = correlation_time(one_to(5));
  CHECK_THAT(five.time, WithinRel(1.8, 1e-12));
  CHECK(five.window == 2);
  // 1 … 6 less 3.5: squares 17.5, products 8.75, 1, −3.75: pairs 1.5, −2.75 / 17.5.
  CHECK_THAT(correlation_time(one_to(6)).time, WithinRel(2.0, 1e-12));
  // A swing is not worth more than independent samples; equal ones and a single one are worth themselves.
  CHECK(correlation_time(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2}).time == 1);
  CHECK(correlation_time(std::vector<double>(30, 0.1)).time == 1);
  CHECK(correlation_time(std::vector<double>{5}).time == 1);
  // Every number four times: correlations 1, ¾, ½, ¼, 0, so 1 + 2·1.5.
  const CorrelationTime four = correlation_time(repeated(2000, 4));
  CHECK_THAT(four.time, WithinAbs(4.0, 0.5));
  CHECK(four.window >= 4);
  // Over a fifth of the samples at most.
  CHECK(correlation_time(one_to(100)).window == 20);
  // But over two, of however few.
  CHECK(correlation_time(one_to(9)).window == 2);
  CHECK(correlation_time(one_to(2)).window == 2);
  // A pair of correlations of 0 ends it.
  std::vector<double> swing(20, 0.0);
  swing[0] = 1;
  swing[1] = -1;
  CHECK(correlation_time(swing).window == 2);
}

TEST_CASE("dependence is looked for in the ranks of neighbours, of four lags from 40 samples on") {
  for (const std::size_t n : {std::size_t{39}, std::size_t{40}}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::vector<double> values = coarse(n, 1, seed);
      std::vector<double> ranks;
      for (const double x : values) {
        const auto below = std::ranges::count_if(values, [x](double other) { return other < x; });
        ranks.push_back(static_cast<double>(below) +
                        static_cast<double>(std::ranges::count(values, x)) / 2);
      }
      const auto size = static_cast<double>(n);
      double sum = 0;
      for (std::size_t lag = 1; lag <= 4; ++lag) sum += correlation(ranks, lag) + 1 / size;
      const double neighbours = (correlation(ranks, 1) + 1 / size) * std::sqrt(size);
      const auto tail = [](double z) { return std::erfc(z / std::sqrt(2.0)) / 2; };
      const double expected =
          n < 40 ? tail(neighbours)
                 : std::min(1.0, 2 * tail(std::max(neighbours, sum * std::sqrt(size) / 2)));
      CAPTURE(n, seed);
      CHECK_THAT(median_dependence(values).p_value, WithinRel(expected, 1e-9));
      CHECK_THAT(median_dependence(values).lag1, WithinAbs(correlation(ranks, 1), 1e-12));
    }
  }
}

TEST_CASE("samples are worth what the signs about the median remember") {
  int just_enough_to_stop = 0;
  int just_enough_to_claim = 0;
  for (const std::size_t n : {30, 60, 61, 100, 200}) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const std::vector<double> values = coarse(n, 1 + seed % 4, seed);
      const Dependence found = median_dependence(values);
      if (found.p_value >= 0.2 || two_modes(values)) continue;
      std::vector<double> signs;
      for (const double x : values) signs.push_back(x > median(values) ? 1 : x < median(values) ? -1 : 0);
      const CorrelationTime expected = correlation_time(signs);
      const auto worth_of = static_cast<std::size_t>(static_cast<double>(n) / expected.time);
      const double windows = static_cast<double>(n) / static_cast<double>(expected.window);
      CAPTURE(n, seed, windows);
      CHECK(found.time == expected.time);
      CHECK(found.effective == (found.shown ? worth_of : std::max<std::size_t>(6, worth_of)));
      CHECK_THAT(found.freedom, WithinRel(windows / 1.5, 1e-12));
      CHECK(found.interval_holds == (!found.shown || windows >= 15));
      just_enough_to_claim += found.shown && windows == 15 ? 1 : 0;
      if (windows < 50) CHECK_FALSE(found.long_enough);
      just_enough_to_stop += found.long_enough && windows == 50 ? 1 : 0;
    }
  }
  CHECK(just_enough_to_claim > 5);
  CHECK(just_enough_to_stop > 5);
}

TEST_CASE("the longest or the shortest tenth in few groups keeps a rule from stopping") {
  const auto long_enough = [](std::size_t n, const std::vector<std::size_t>& lengths,
                              std::size_t start = 3) {
    std::vector<double> values = with_groups(n, lengths, start);
    const Dependence longest = median_dependence(values);
    for (double& x : values) x = -x;
    const Dependence shortest = median_dependence(values);
    REQUIRE(std::min(longest.p_value, shortest.p_value) >= 0.2);
    CHECK(longest.long_enough == shortest.long_enough);
    return longest.long_enough;
  };
  CHECK(long_enough(40, {1, 1, 1, 1}));
  CHECK_FALSE(long_enough(40, {4}));
  CHECK(long_enough(39, {4}));
  // Groups of two and three last for two lags, of four for four: 25 of these are enough.
  CHECK(long_enough(50, {3, 2}));
  CHECK_FALSE(long_enough(48, {3, 2}));
  CHECK(long_enough(100, {4, 3, 3}));
  CHECK_FALSE(long_enough(96, {4, 3, 3}));
  // Four groups of seven have a probability of 1.03 % among 72 samples, of 0.99 % among 73.
  CHECK(long_enough(72, {1, 4, 1, 1}, 0));
  CHECK_FALSE(long_enough(73, {1, 4, 1, 1}, 0));
  // No samples are the longest or the shortest where so many are equal.
  std::vector<double> two_values;
  for (int i = 0; i < 60; ++i) two_values.push_back(i % 2);
  CHECK(median_dependence(two_values).long_enough);
}

TEST_CASE("dependence is shown where it is, and seldom where it is not") {
  const Dependence four = median_dependence(repeated(250, 4));
  CHECK(four.shown);
  CHECK(four.lag1 > 0.6);
  CHECK(four.effective > 150);
  CHECK(four.effective < 400);
  CHECK(four.effective == static_cast<std::size_t>(1000 / four.time));
  CHECK(four.interval_holds);
  int shown = 0;
  int hinted = 0;
  int clustered = 0;
  for (std::size_t seed = 0; seed < 500; ++seed) {
    const Dependence none = median_dependence(repeated(60 + seed, 1));
    shown += none.shown ? 1 : 0;
    hinted += none.freedom > 0 ? 1 : 0;
    if (none.p_value >= 0.2) {
      CHECK(none.effective == 60 + seed);
      CHECK(none.time == 1);
      clustered += none.long_enough ? 0 : 1;
    }
  }
  CHECK(shown <= 15);  // one in a hundred at most expected
  CHECK(hinted <= 120);
  CHECK(clustered <= 5);
}

TEST_CASE("something is checked in short series, too") {
  CHECK(median_dependence(one_to(10)).shown);
  CHECK_FALSE(median_dependence(one_to(10)).interval_holds);
  CHECK(median_dependence(one_to(5)).effective == 5);
  CHECK(median_dependence(one_to(5)).p_value == 1);
  CHECK(median_dependence(one_to(6)).p_value < 0.1);
  CHECK_FALSE(median_dependence(one_to(7)).shown);
  CHECK(median_dependence(one_to(7)).effective == 6);
  CHECK_FALSE(median_dependence(std::vector<double>(50, 2.0)).shown);
  CHECK(median_dependence(std::vector<double>{1}).effective == 1);
  const auto normal = benchctl::test::series_kinds().front();
  for (const std::size_t n : {std::size_t{10}, std::size_t{25}}) {
    int shown = 0;
    for (std::size_t seed = 0; seed < 2000; ++seed) {
      const Dependence dependence = median_dependence(benchctl::test::draw_series(normal, n, 0.05, seed));
      if (dependence.shown != (dependence.p_value < 0.01)) FAIL("p = " << dependence.p_value);
      shown += dependence.shown ? 1 : 0;
    }
    CHECK(shown <= 40);
  }
}

TEST_CASE("a series that only rises has no interval, and none that stays in each state for long") {
  CHECK_FALSE(median_dependence(one_to(200)).interval_holds);
  CHECK_FALSE(dependent_median_interval(one_to(200), median_dependence(one_to(200))).known());
  // Two states, 60 samples each in turn: ten visits are too few, however many samples they have.
  benchctl::test::Random random(3);
  std::vector<double> states;
  for (int i = 0; i < 600; ++i) states.push_back((i / 60 % 2 == 0 ? 10 : 12) + 0.01 * random.normal());
  CHECK_FALSE(median_dependence(states).interval_holds);
  // In turns of one they are independent for all that the median needs.
  for (std::size_t i = 0; i < states.size(); ++i)
    states[i] = (i % 2 == 0 ? 10 : 12) + 0.01 * random.normal();
  CHECK(median_dependence(states).interval_holds);
  // Few visits are enough if that is half as many as by chance: 18 in 54 samples are, 12 in 60 are not.
  const auto in_turns_of = [&](std::size_t length, std::size_t n) {
    std::vector<double> turns;
    for (std::size_t i = 0; i < n; ++i)
      turns.push_back((i / length % 2 == 0 ? 10 : 12) + 0.01 * random.normal());
    return median_dependence(turns);
  };
  CHECK(in_turns_of(3, 54).interval_holds);
  CHECK_FALSE(in_turns_of(5, 60).interval_holds);
  CHECK(in_turns_of(4, 60).interval_holds);
  // Otherwise 20 visits are needed, and 40 for a rule to stop.
  CHECK(in_turns_of(5, 100).interval_holds);
  CHECK_FALSE(in_turns_of(5, 95).interval_holds);
  CHECK(in_turns_of(5, 200).long_enough);
  CHECK_FALSE(in_turns_of(5, 195).long_enough);
}

TEST_CASE("a rule may stop only where the series is long beside what it remembers") {
  const Dependence some = median_dependence(repeated(50, 4));
  CHECK(some.interval_holds);
  CHECK_FALSE(some.long_enough);  // windows of 4 to 8 in 200 samples
  CHECK(median_dependence(repeated(1000, 4)).long_enough);
}

TEST_CASE("a first visit to another state keeps a rule from stopping, outliers here and there do not") {
  int together = 0;
  int apart = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    benchctl::test::Random random(seed);
    std::vector<double> values;
    for (int i = 0; i < 300; ++i) values.push_back(100 + random.normal());
    std::vector<double> visited = values;
    for (std::size_t i = 140; i < 155; ++i) visited[i] += 10;
    for (std::size_t i = 7; i < 300; i += 20) values[i] += 10;
    together += median_dependence(visited).long_enough ? 1 : 0;
    apart += median_dependence(values).long_enough ? 1 : 0;
    CHECK(median_dependence(visited).interval_holds);
  }
  CHECK(together <= 5);
  CHECK(apart >= 95);
}

TEST_CASE("samples of two modes that do not depend on each other keep their interval") {
  int two = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    benchctl::test::Random random(seed);
    std::vector<double> values;
    for (int i = 0; i < 60; ++i)
      values.push_back(100 + random.normal() + (random.uniform() < 0.15 ? 50 : 0));
    const Dependence dependence = median_dependence(values);
    if (dependence.shown) continue;
    CHECK(dependence.interval_holds);
    two += dependence.long_enough ? 0 : 1;  // the two modes were seen
  }
  CHECK(two >= 20);
}

TEST_CASE("of two modes the correlation of the mode counts, wherever the median lies") {
  const auto states = benchctl::test::draw_series(benchctl::test::two_state_kind(20), 8000, 0.005, 3);
  const double between = median_dependence(states, 1).time;
  CHECK_THAT(between, WithinRel(19.0, 0.35));  // (1 + ρ) / (1 − ρ) with ρ = 1 − 2/20
  // In the middle of the lower mode half its signs are up.
  CHECK_THAT(median_dependence(states, 0.95).time, WithinRel(between, 0.1));
}

TEST_CASE("outliers do not hide dependence, and scale does not matter") {
  std::vector<double> values = repeated(100, 4);
  const Dependence before = median_dependence(values);
  for (double& x : values) x = 8 * x;
  *std::ranges::max_element(values) = 1e12;
  const Dependence after = median_dependence(values);
  CHECK(after.shown);
  CHECK(after.effective == before.effective);
}

TEST_CASE("a widened interval has the ranks of fewer samples, spread over all") {
  const std::vector<double> values = one_to(400);
  // The interval of 1 … 100 is its own ranks.
  const Interval hundred = median_interval(one_to(100));
  const Interval widened = dependent_median_interval(values, worth(100));
  CHECK_THAT(widened.low, WithinRel(hundred.low * 401 / 101, 1e-12));
  CHECK_THAT(widened.high, WithinRel(hundred.high * 401 / 101, 1e-12));
  const Interval plain = median_interval(values);
  for (const std::size_t effective : {std::size_t{400}, std::size_t{1000}}) {
    CHECK(dependent_median_interval(values, worth(effective)).low == plain.low);
    CHECK(dependent_median_interval(values, worth(effective)).high == plain.high);
  }
  CHECK_FALSE(dependent_median_interval(values, worth(5)).known());
  CHECK(dependent_median_interval(values, worth(6)).known());
  CHECK_FALSE(dependent_median_interval(values, worth(6), 0.99).known());
  CHECK(dependent_median_interval(values, worth(100), 0.9).low > widened.low);
  CHECK_THROWS_AS(dependent_median_interval(values, worth(100), 1), std::invalid_argument);
  // Student's quantile of two degrees of freedom is 2.2 times the normal one: 100 count as 20.
  Dependence uncertain = worth(100);
  uncertain.freedom = 2;
  const double wider = dependent_median_interval(values, uncertain).low;
  CHECK(wider == dependent_median_interval(values, worth(20)).low);
  // Of one degree it is 6.5 times that: so few that the widest interval is left.
  uncertain.freedom = 1;
  CHECK(dependent_median_interval(values, uncertain).low ==
        dependent_median_interval(values, worth(6)).low);
  uncertain.interval_holds = false;
  CHECK_FALSE(dependent_median_interval(values, uncertain).known());
}

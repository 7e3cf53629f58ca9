// Who is fastest, by rounds: each branch against values computed in another way.
#include "stats/race.hpp"
#include "stats/ratio.hpp"
#include "stats/summary.hpp"
#include "support/catch.hpp"
#include "support/series.hpp"

#include <array>
#include <stdexcept>

using namespace benchctl::stats;
using benchctl::test::Random;

namespace {

/// Values of successive rounds of one process.
RoundValues in_rounds(const std::vector<double>& values, std::uint32_t process = 0,
                      std::uint32_t first = 0) {
  RoundValues rounds;
  for (const double value : values) rounds[round_key(process, first++)] = value;
  return rounds;
}

RoundValues exponentials(const std::vector<double>& logs, std::uint32_t process = 0) {
  RoundValues rounds = in_rounds(logs, process);
  for (auto& [key, value] : rounds) value = std::exp(value);
  return rounds;
}

RoundValues ones(std::size_t n) { return in_rounds(std::vector<double>(n, 1.0)); }

Race race_of(const std::vector<RoundValues>& rows, double confidence = confidence_of_race) {
  std::vector<const RoundValues*> pointers;
  for (const RoundValues& row : rows) pointers.push_back(&row);
  return race(pointers, pooled_scatter(pointers), confidence);
}

bool slower(const RatioEstimate& ratio) { return ratio.interval.low > 1; }

constexpr Scatter tenth{.deviation = 0.1, .freedom = 12, .between = 0, .between_freedom = 0};
/// Student's quantiles with 12 and 30 degrees of freedom for 95 %, from tables.
constexpr double t_of_12 = 2.17881;
constexpr double t_of_30 = 2.04227;

}  // namespace

TEST_CASE("what the rounds have in common cancels in the ratio of a race") {
  Random random(1);
  RoundValues a;
  RoundValues b;
  for (std::uint32_t round = 0; round < 20; ++round) {
    const double level = std::exp(random.normal());
    a[round_key(0, round)] = 1.5 * level;
    b[round_key(0, round)] = level;
  }
  // Rounds that one alone has say nothing.
  a[round_key(0, 50)] = 1e-6;
  b[round_key(1, 7)] = 1e6;
  const RatioEstimate ratio = ratio_by_rounds(a, b, tenth, 0.975);
  CHECK(ratio.n == 20);
  CHECK_THAT(ratio.ratio, WithinRel(1.5, 1e-12));
  CHECK_THAT(ratio.interval.low, WithinRel(1.5, 1e-12));
  CHECK_THAT(ratio.interval.high, WithinRel(1.5, 1e-12));
}

TEST_CASE("with enough rounds the interval is that of order statistics, whatever the scatter") {
  // Log ratios 1 … 6 at 95 %: the ends are at 1 + 5/14 and 6 − 5/14 (see summary_test.cpp).
  const RoundValues rising = exponentials({1, 2, 3, 4, 5, 6});
  for (const Scatter scatter : {tenth, Scatter{9, 3, 0, 0}}) {
    const RatioEstimate ratio = ratio_by_rounds(rising, ones(6), scatter, 0.95);
    CHECK_THAT(ratio.ratio, WithinRel(std::exp(3.5), 1e-12));
    CHECK_THAT(ratio.interval.low, WithinRel(std::exp(1 + 5.0 / 14), 1e-12));
    CHECK_THAT(ratio.interval.high, WithinRel(std::exp(6 - 5.0 / 14), 1e-12));
  }
  // 8 rounds have such an interval at 99.2 %, not at 99.5 %.
  const RoundValues eight = exponentials({1, 1, 1, 1, 1, 1, 1, 1});
  CHECK_THAT(ratio_by_rounds(eight, ones(8), tenth, 1 - 2.0 / 256).interval.low,
             WithinRel(std::exp(1), 1e-9));
  CHECK(ratio_by_rounds(eight, ones(8), tenth, 0.995).interval.low < 0.95 * std::exp(1));
}

TEST_CASE("the interval of few rounds is Student's, of the larger scatter") {
  // √(π / (2·3 + π − 2)): the error of the median of three values.
  constexpr double of_three = 0.663247;
  const RatioEstimate calm = ratio_by_rounds(exponentials({0.02, 0, 0.01}), ones(3), tenth, 0.95);
  CHECK(calm.n == 3);
  CHECK_THAT(calm.ratio, WithinRel(std::exp(0.01), 1e-12));
  const double half = t_of_12 * 0.1 * std::sqrt(2.0) * of_three;
  CHECK_THAT(std::log(calm.interval.low), WithinRel(0.01 - half, 1e-4));
  CHECK_THAT(std::log(calm.interval.high), WithinRel(0.01 + half, 1e-4));
  // Deviations −2/3, −1/15 and 11/15 from the mean 1/6: √(0.98667 / 2).
  const RatioEstimate wild = ratio_by_rounds(exponentials({-0.5, 0.1, 0.9}), ones(3), tenth, 0.95);
  const double wide = t_of_12 * 0.702377 * of_three;
  CHECK_THAT(std::log(wild.interval.low), WithinRel(0.1 - wide, 1e-4));
  CHECK_THAT(std::log(wild.interval.high), WithinRel(0.1 + wide, 1e-4));
  // Of one round only the scatter tells.
  const RatioEstimate one = ratio_by_rounds(exponentials({0.7}), ones(1), tenth, 0.95);
  CHECK_THAT(std::log(one.interval.high), WithinRel(0.7 + t_of_12 * 0.1 * std::sqrt(2.0), 1e-4));
}

TEST_CASE("few rounds must agree") {
  const Scatter calm{1e-4, 100, 0, 0};
  const RatioEstimate ratio =
      ratio_by_rounds(exponentials({0.5, 0.5, 0.5, -0.4, 0.5, 0.5, 0.5, 0.5}), ones(8), calm, 0.999);
  CHECK_THAT(ratio.ratio, WithinRel(std::exp(0.5), 1e-12));
  CHECK_THAT(ratio.interval.low, WithinRel(std::exp(-0.4), 1e-12));
  CHECK(ratio.interval.high < std::exp(1.0));
}

TEST_CASE("without a common round the medians are compared") {
  const RoundValues a = in_rounds({2}, 1);
  const RoundValues b = in_rounds({1, 9, 1, 1});
  const RatioEstimate ratio = ratio_by_rounds(a, b, {0.2, 30, 0, 0}, 0.95);
  CHECK(ratio.n == 0);
  CHECK_THAT(ratio.ratio, WithinRel(2.0, 1e-12));
  // √(1 + π / (2·4 + π − 2))
  const double half = t_of_30 * 0.2 * 1.159164;
  CHECK_THAT(std::log(ratio.interval.low), WithinRel(std::log(2) - half, 1e-4));
  CHECK_THAT(std::log(ratio.interval.high), WithinRel(std::log(2) + half, 1e-4));
}

TEST_CASE("the error that a median of normal values is given is right within 2 %, or a little too large") {
  constexpr int series = 40'000;
  for (const std::size_t n : {1, 2, 3, 5, 8, 9}) {
    Random random(n);
    double squares = 0;
    for (int i = 0; i < series; ++i) {
      std::vector<double> values(n);
      for (double& x : values) x = random.normal();
      const double middle = median(values);
      squares += middle * middle;
    }
    // Rounds that agree exactly: only the given deviation counts, √½ on each side.
    const std::vector<double> equal(n, 0.0);
    const Scatter unit{std::sqrt(0.5), 1e9, 0, 0};
    const RatioEstimate ratio = ratio_by_rounds(exponentials(equal), ones(n), unit, 0.999999);
    const double error = std::log(ratio.interval.high) / 4.891638;  // the normal quantile
    CAPTURE(n, error, std::sqrt(squares / series));
    // 40,000 series tell the error within 1.1 % in 999 of 1000 cases.
    CHECK(error >= 0.978 * std::sqrt(squares / series));
    CHECK(error <= 1.12 * std::sqrt(squares / series));
  }
}

TEST_CASE("of several processes each is one value") {
  RoundValues a = exponentials({0.1, 0.2, 0.9}, 0);
  RoundValues b = in_rounds({1, 1, 1}, 0);
  a.merge(exponentials({0.3}, 1));
  b.merge(in_rounds({1}, 1));
  a.merge(exponentials({0.25, 0.35}, 2));
  b.merge(in_rounds({1, 1}, 2));
  const std::vector<const RoundValues*> both{&a, &b};
  const std::vector<double> ratios{std::exp(0.2), std::exp(0.3), std::exp(0.3)};
  // Of two competitors the pooled scatter is that of their own ratios.
  for (const Scatter& scatter : {tenth, pooled_scatter(both)}) {
    const RatioEstimate ratio = ratio_by_rounds(a, b, scatter, 0.9);
    const RatioEstimate expected = mean_ratio(ratios, 0.9);
    CHECK(ratio.n == 6);
    CHECK_THAT(ratio.ratio, WithinRel(std::exp(0.8 / 3), 1e-12));
    CHECK_THAT(ratio.interval.low, WithinRel(expected.interval.low, 1e-12));
    CHECK_THAT(ratio.interval.high, WithinRel(expected.interval.high, 1e-12));
  }
  // Known better from others: 1.78229 is Student's t with 12 degrees of freedom for 90 %.
  const RatioEstimate pooled = ratio_by_rounds(a, b, {0, 0, 0.1, 12}, 0.9);
  CHECK_THAT(std::log(pooled.interval.high),
             WithinRel(0.8 / 3 + 1.78229 * 0.1 * std::sqrt(2.0) / std::sqrt(3.0), 1e-5));
}

TEST_CASE("scatter between processes leaves out what a process does to all") {
  // Log medians of three rows in three processes: a level for each row, one for each process, and residuals
  // whose sums over rows and over processes are 0. Their squares sum up to 10; (3 − 1)·(3 − 1) degrees of
  // freedom.
  constexpr std::array<std::array<double, 3>, 3> residuals{{{1, 0, -1}, {-2, 1, 1}, {1, -1, 0}}};
  std::vector<RoundValues> rows(4);
  for (std::uint32_t process = 0; process < 3; ++process) {
    for (std::size_t row = 0; row < 3; ++row) {
      const double level = 0.5 * static_cast<double>(row) + 0.2 * process + 0.01 * residuals[row][process];
      rows[row].merge(exponentials({level - 3, level, level + 0.1}, process));
    }
  }
  rows[3] = exponentials({9}, 1);  // was in one process only
  std::vector<const RoundValues*> pointers;
  for (const RoundValues& row : rows) pointers.push_back(&row);
  const Scatter scatter = pooled_scatter(pointers);
  CHECK(scatter.between_freedom == 4);
  CHECK_THAT(scatter.between, WithinRel(0.01 * std::sqrt(10.0 / 4), 1e-9));
  pointers.resize(1);
  CHECK(pooled_scatter(pointers).between_freedom == 0);
}

TEST_CASE("exchanging two competitors inverts their ratio, in every branch") {
  Random random(5);
  const auto drawn = [&](std::size_t n, std::uint32_t process) {
    std::vector<double> logs(n);
    for (double& x : logs) x = 0.2 * random.normal();
    return exponentials(logs, process);
  };
  RoundValues two_processes = drawn(4, 0);
  two_processes.merge(drawn(4, 1));
  RoundValues others = drawn(4, 0);
  others.merge(drawn(4, 1));
  const std::vector<std::pair<RoundValues, RoundValues>> pairs{{drawn(1, 0), drawn(1, 0)},
                                                               {drawn(4, 0), drawn(4, 0)},
                                                               {drawn(30, 0), drawn(25, 0)},
                                                               {drawn(3, 0), drawn(5, 1)},
                                                               {two_processes, others}};
  for (const auto& [a, b] : pairs) {
    const RatioEstimate forth = ratio_by_rounds(a, b, tenth, 0.975);
    const RatioEstimate back = ratio_by_rounds(b, a, tenth, 0.975).inverse();
    CHECK(forth.n == back.n);
    CHECK_THAT(forth.ratio, WithinRel(back.ratio, 1e-12));
    CHECK_THAT(forth.interval.low, WithinRel(back.interval.low, 1e-12));
    CHECK_THAT(forth.interval.high, WithinRel(back.interval.high, 1e-12));
    // A higher confidence makes no interval narrower: whoever is slower at a higher one is at a lower one.
    for (const double confidence : {0.99, 0.995, 0.999, 0.9999}) {
      const RatioEstimate wider = ratio_by_rounds(a, b, tenth, confidence);
      CHECK(wider.interval.low <= forth.interval.low);
      CHECK(wider.interval.high >= forth.interval.high);
    }
  }
  CHECK_THROWS_AS(ratio_by_rounds({}, ones(1), tenth, 0.975), std::invalid_argument);
  CHECK_THROWS_AS(ratio_by_rounds(ones(1), {}, tenth, 0.975), std::invalid_argument);
}

TEST_CASE("scatter is pooled over competitors and processes, with a prior of 0.3 worth three values") {
  CHECK(pooled_scatter({}).deviation == 0.3);
  CHECK(pooled_scatter({}).freedom == 3);
  // A competitor's only value tells nothing of scatter.
  const RoundValues one = in_rounds({7});
  const std::vector<const RoundValues*> alone{&one};
  CHECK(pooled_scatter(alone).deviation == 0.3);
  // Squares: 0.27 of the prior, 0.02 of the first, 0.08 + 0.5 of the second's two processes.
  const RoundValues first = exponentials({1, 1.2});
  RoundValues second = exponentials({3, 3.4, 3.2});
  second.merge(exponentials({7, 8}, 1));
  const std::vector<const RoundValues*> rows{&one, &first, &second};
  const Scatter scatter = pooled_scatter(rows);
  CHECK(scatter.freedom == 3 + 1 + 2 + 1);
  CHECK_THAT(scatter.deviation, WithinRel(std::sqrt((0.27 + 0.02 + 0.08 + 0.5) / 7), 1e-12));
  // Many values speak for themselves.
  Random random(2);
  std::vector<double> logs(3000);
  for (double& x : logs) x = 0.02 * random.normal();
  const RoundValues many = exponentials(logs);
  const std::vector<const RoundValues*> quiet{&many};
  CHECK_THAT(pooled_scatter(quiet).deviation, WithinAbs(0.022, 0.002));
}

TEST_CASE("a competitor alone has won") {
  const Race alone = race_of({in_rounds({5, 6})});
  CHECK(alone.best == 0);
  REQUIRE(alone.ratios.size() == 1);
  CHECK(alone.ratios[0].n == 2);
  CHECK(alone.ratios[0].ratio == 1);
  CHECK(alone.ratios[0].interval.low == 1);
  CHECK(alone.ratios[0].interval.high == 1);
  CHECK(alone.comparisons == 1);
}

TEST_CASE("who beats the smallest median by rounds takes its place") {
  // The first has a smaller median because it has the quiet rounds 0 to 9 alone; in the twenty rounds that
  // both have, it took twice as long.
  RoundValues lucky = in_rounds(std::vector<double>(30, 10.0));
  RoundValues fast;
  for (std::uint32_t round = 0; round < 30; ++round) {
    if (round >= 10) {
      lucky[round_key(0, round)] = round < 14 ? 10 : 40;
      fast[round_key(0, round)] = round < 14 ? 5 : 20;
    }
  }
  for (std::uint32_t round = 30; round < 50; ++round) lucky[round_key(0, round)] = 10;
  const Race found = race_of({lucky, fast});
  CHECK(found.best == 1);
  CHECK_THAT(found.ratios[0].ratio, WithinRel(2.0, 1e-12));
  CHECK(slower(found.ratios[0]));
}

TEST_CASE("rounds that go in a circle come to an end") {
  // By the rounds that they share, each beats the next, and the last the first.
  constexpr std::size_t rows = 3;
  std::vector<RoundValues> circle(rows);
  for (std::uint32_t round = 0; round < 60; ++round) {
    const std::size_t winner = round % rows;
    circle[winner][round_key(0, round)] = 1;
    circle[(winner + 1) % rows][round_key(0, round)] = 2;
  }
  const Race found = race_of(circle);
  REQUIRE(found.best < rows);
  REQUIRE(found.ratios.size() == rows);
  CHECK(found.ratios[found.best].ratio == 1);
}

TEST_CASE("the verdicts of a race hold together: all pairs count, then those that are left") {
  Random random(9);
  const auto drawn = [&](double level) {
    std::vector<double> logs(20);
    for (double& x : logs) x = std::log(level) + 0.05 * random.normal();
    return exponentials(logs);
  };
  // Three about equal, three far behind: first 15 pairs, then 3.
  const std::vector<RoundValues> rows{drawn(1), drawn(1), drawn(1), drawn(3), drawn(5), drawn(9)};
  const Race found = race_of(rows);
  REQUIRE(found.best < 3);
  CHECK(found.comparisons == 3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == found.best) continue;
    const RatioEstimate own =
        ratio_by_rounds(rows[i], rows[found.best], tenth, bonferroni_confidence(confidence_of_race, 3));
    CHECK(found.ratios[i].interval.low == own.interval.low);
    CHECK(found.ratios[i].interval.high == own.interval.high);
    CHECK(slower(found.ratios[i]) == (i >= 3));
  }
  // All of ten equal ones stay: 45 pairs.
  std::vector<RoundValues> equal(10, ones(20));
  CHECK(race_of(equal).comparisons == 45);
  // Two: one pair.
  CHECK(race_of({drawn(1), drawn(1)}).comparisons == 1);
}

TEST_CASE("a race against one that is given keeps it") {
  const RoundValues fast = ones(20);
  const RoundValues slow = in_rounds(std::vector<double>(20, 2.0));
  const std::vector<const RoundValues*> rows{&fast, &slow};
  const Race found = race_against(rows, 1, pooled_scatter(rows));
  CHECK(found.best == 1);
  CHECK_THAT(found.ratios[0].ratio, WithinRel(0.5, 1e-12));
  CHECK_THAT(found.ratios[0].interval.high, WithinRel(0.5, 1e-12));
}

TEST_CASE("processes that did not take turns decide by their spread, or by how far processes lie apart") {
  const auto process = [](double median) { return ProcessMedian{median, 1, {}}; };
  // Student's t with three degrees of freedom at 97.5 %, from tables: 4.1765 · 0.3 · √2 = 1.772 = log 5.88.
  CHECK_FALSE(slower_between_processes(process(5.8), process(1)));
  CHECK(slower_between_processes(process(5.9), process(1)));
  CHECK_FALSE(slower_between_processes(process(1), process(5.9)));
  // From three processes on each side their own intervals count.
  const ProcessMedian best{.median = 1, .processes = 3, .interval = {0.99, 1.01}};
  CHECK(slower_between_processes({.median = 1.05, .processes = 3, .interval = {1.03, 1.07}}, best));
  CHECK_FALSE(slower_between_processes({.median = 1.05, .processes = 3, .interval = {0.99, 1.11}}, best));
  CHECK_FALSE(slower_between_processes({.median = 1.05, .processes = 2, .interval = {1.03, 1.07}}, best));
}

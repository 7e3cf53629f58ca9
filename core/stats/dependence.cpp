#include "stats/dependence.hpp"

#include "stats/median_bounds.hpp"
#include "stats/modes.hpp"
#include "stats/order.hpp"

#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace benchctl::stats {

namespace {

/// Values without their mean, and the sum of their squares.
struct Centered {
  std::vector<double> values;
  double squares = 0;

  explicit Centered(std::span<const double> samples) : values(checked_copy(samples)) {
    const auto [least, most] = std::ranges::minmax(values);
    const double center = least == most ? least : mean(values);  // equal samples have no spread at all
    for (double& x : values) {
      x -= center;
      squares += x * x;
    }
  }

  /// Of values that are not all equal; the lag is at most their number.
  [[nodiscard]] double correlation(std::size_t lag) const {
    const auto later = std::span(values).subspan(lag);
    return std::inner_product(later.begin(), later.end(), values.begin(), 0.0) / squares;
  }
};

constexpr double shown_level = 0.01;
constexpr double hint_level = 0.2;
constexpr std::size_t fewest = 6;
/// Under so many samples, neighbours alone are looked at.
constexpr std::size_t fewest_for_lags = 40;
constexpr std::size_t lags_looked_at = 4;
/// Share of the samples that make the upper and the lower tail, and how improbable so few groups of them
/// are.
constexpr double tail_share = 0.1;
constexpr double clustered_level = 0.01;
/// Of a series, in windows of its correlation time: for a rule to stop, and to claim an interval.
constexpr double windows_to_stop = 50;
constexpr double windows_to_claim = 15;
constexpr double clusters_to_stop = 25;
constexpr std::size_t visits_to_stop = 40;
constexpr std::size_t visits_to_claim = 20;
/// Windows for each degree of freedom of τ (Sokal, "Monte Carlo methods in statistical mechanics", 1997,
/// section 3: the variance of τ is 2·(2·window + 1) / n · τ²).
constexpr double windows_per_freedom = 1.5;

/// Mean ranks: equal samples share theirs.
std::vector<double> ranks_of(std::span<const double> samples) {
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return samples[i]; });
  std::vector<double> ranks(samples.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && samples[order[end]] == samples[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) ranks[order[k]] = static_cast<double>(i + end) / 2;
    i = end;
  }
  return ranks;
}

/// How far the autocorrelations are above 0, by neighbours or by four lags, in standard deviations. Each is
/// expected at −1/n.
double standardised(const Centered& ranks) {
  const auto n = static_cast<double>(ranks.values.size());
  double sum = ranks.correlation(1) + 1 / n;
  const double neighbours = sum * std::sqrt(n);
  if (ranks.values.size() < fewest_for_lags) return neighbours;
  for (std::size_t lag = 2; lag <= lags_looked_at; ++lag) sum += ranks.correlation(lag) + 1 / n;
  return std::max(neighbours, sum * std::sqrt(n / lags_looked_at));
}

/// Are marked neighbours in so few groups that it is no chance, if `marks` (0 or 1) came in any order? The
/// number of groups of k marked ones among n has a hypergeometric distribution (Stevens, "Distribution of
/// groups in a sequence of alternatives", Annals of Eugenics 9, 1939).
bool clustered(std::span<const double> marks) {
  unsigned marked = 0;
  unsigned groups = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == 0) continue;
    ++marked;
    groups += i == 0 || marks[i - 1] == 0 ? 1 : 0;
  }
  if (marked == 0) return false;
  const auto all = static_cast<unsigned>(marks.size());
  const boost::math::hypergeometric distribution(all - marked + 1, marked, all);
  return boost::math::cdf(distribution, groups) < clustered_level;
}

/// Lags over which the extreme tenth of the samples on either side stays together; 1 where it does not.
/// Ranks see little of a second state that the series visited only once, for less than a tenth of its time.
std::size_t cluster_window(const Centered& ranks) {
  const double border = (0.5 - tail_share) * static_cast<double>(ranks.values.size());
  std::size_t window = 1;
  for (const double side : {-1.0, 1.0}) {
    std::vector<double> marks;
    marks.reserve(ranks.values.size());
    for (const double rank : ranks.values) marks.push_back(side * rank > border ? 1 : 0);
    if (clustered(marks)) window = std::max(window, correlation_time(marks).window);
  }
  return window;
}

/// Does the series change between its modes less than half as often as n samples in any order?
bool persist(const Modes& modes, std::size_t n) {
  const double chance = 2 * modes.high_share * (1 - modes.high_share) * static_cast<double>(n);
  return static_cast<double>(modes.visits) < chance / 2;
}

CorrelationTime time_of_signs(std::span<const double> samples, double center) {
  std::vector<double> signs;
  signs.reserve(samples.size());
  for (const double x : samples) signs.push_back(x > center ? 1 : x < center ? -1 : 0);
  return correlation_time(signs);
}

double normal_quantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

}  // namespace

CorrelationTime correlation_time(std::span<const double> samples) {
  const Centered centered(samples);
  CorrelationTime result;
  if (centered.squares == 0) return result;
  const std::size_t most = std::max<std::size_t>(2, samples.size() / 5);
  double time = -1;
  double before = std::numeric_limits<double>::infinity();
  std::size_t lag = 0;
  for (; lag < most; lag += 2) {
    const double pair = centered.correlation(lag) + centered.correlation(lag + 1);
    if (pair <= 0) break;
    before = std::min(before, pair);
    time += 2 * before;
  }
  return {std::max(1.0, time), lag};
}

Dependence median_dependence(std::span<const double> samples) {
  return median_dependence(samples, median(samples));
}

Dependence median_dependence(std::span<const double> samples, double center) {
  const std::size_t n = samples.size();
  Dependence result = Dependence::none(n);
  if (n < fewest) return result;
  const Centered ranks(ranks_of(samples));
  if (ranks.squares == 0) return result;
  result.lag1 = ranks.correlation(1);
  // Of two statistics the larger: twice the probability of one.
  const double tail = boost::math::cdf(boost::math::complement(boost::math::normal(), standardised(ranks)));
  result.p_value = std::min(1.0, (n < fewest_for_lags ? 1 : 2) * tail);
  result.shown = result.p_value < shown_level;
  const auto modes = two_modes(samples);
  if (modes) {
    result.long_enough = modes->visits >= visits_to_stop;
    result.interval_holds = modes->visits >= visits_to_claim || !persist(*modes, n);
  }
  const auto windows = [&](std::size_t window) {
    return static_cast<double>(n) / static_cast<double>(window);
  };
  if (n >= fewest_for_lags && windows(cluster_window(ranks)) < clusters_to_stop) result.long_enough = false;
  if (result.p_value >= hint_level) return result;
  const CorrelationTime of_signs = time_of_signs(samples, center);
  CorrelationTime longest = of_signs;
  if (modes) {
    // A median inside one mode makes signs of half its samples that say nothing of the mode.
    const CorrelationTime of_modes = time_of_signs(samples, (modes->low + modes->high) / 2);
    if (of_modes.time > longest.time) longest = of_modes;
  }
  result.time = longest.time;
  result.freedom = windows(longest.window) / windows_per_freedom;
  result.effective = static_cast<std::size_t>(static_cast<double>(n) / longest.time);
  result.long_enough = result.long_enough && windows(longest.window) >= windows_to_stop;
  if (result.shown) {
    result.interval_holds = result.interval_holds && windows(of_signs.window) >= windows_to_claim;
  } else {
    result.effective = std::max(result.effective, fewest);
  }
  return result;
}

Interval dependent_median_interval(std::span<const double> samples, const Dependence& dependence,
                                   double confidence) {
  check_confidence(confidence);
  const std::vector<double> sorted = sorted_copy(samples);
  const Interval unknown{std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::quiet_NaN()};
  if (!dependence.interval_holds) return unknown;
  double worth = static_cast<double>(dependence.effective);
  if (dependence.freedom > 0) {
    const double p = (1 + confidence) / 2;
    const double wider =
        boost::math::quantile(boost::math::students_t(dependence.freedom), p) / normal_quantile(p);
    worth /= wider * wider;
  }
  auto effective = static_cast<std::size_t>(worth);
  // A mere hint leaves the widest possible interval.
  while (!dependence.shown && effective < dependence.effective &&
         median_bounds(effective, confidence).rank == 0)
    ++effective;
  if (effective >= sorted.size()) return sorted_median_interval(sorted, confidence);
  const MedianBounds bounds = median_bounds(effective, confidence);
  if (bounds.rank == 0) return unknown;
  // The r-th of m order statistics has the expected share r / (m + 1); that of n samples has rank
  // r·(n + 1) / (m + 1), counted from 1.
  const double share =
      (static_cast<double>(bounds.rank) + bounds.weight) / static_cast<double>(effective + 1);
  const std::size_t last = sorted.size() - 1;
  const double q = (share * static_cast<double>(sorted.size() + 1) - 1) / static_cast<double>(last);
  return {sorted_quantile(sorted, q), sorted_quantile(sorted, 1 - q)};
}

}  // namespace benchctl::stats

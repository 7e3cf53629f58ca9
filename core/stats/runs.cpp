#include "stats/runs.hpp"

#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace benchctl::stats {

namespace {

using boost::math::digamma;
using boost::math::trigamma;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t fewest_to_moderate = 3;
/// With fewer, chance alone spreads variances so far that what is common cannot be told: in simulations one
/// in ten comparisons of 19 equal points held a difference, instead of one in twenty.
constexpr double least_freedom = 2.5;  // of six runs
constexpr std::size_t fewest_to_leave_out_one = 3;

/// y with trigamma(y) = x > 0, by Newton's method on 1 / trigamma, which is convex and almost a straight
/// line: from the first step on, y is too large and comes down.
double inverse_trigamma(double x) {
  const auto step = [x](double y) {
    const double value = trigamma(y);
    return y + value * (1 - value / x) / boost::math::polygamma(2, y);
  };
  double y = step(x);
  for (double next = step(y); next < y; next = step(y)) y = next;
  return y;
}

/// What spreads have in common: a variance, and the degrees of freedom that it counts as.
struct Common {
  double variance;
  double freedom;
};

std::optional<Common> common_to(std::span<const RunSpread> spreads) {
  std::vector<double> logs;
  std::vector<double> expected;  // variance of each log variance by chance alone
  for (const RunSpread& spread : spreads) {
    if (!(spread.deviation > 0) || spread.freedom < least_freedom) continue;
    const double half = spread.freedom / 2;
    logs.push_back(2 * std::log(spread.deviation) - digamma(half) + std::log(half));
    expected.push_back(trigamma(half));
  }
  if (logs.size() < fewest_to_moderate) return std::nullopt;
  const double centre = mean(logs);
  const double beyond_chance =
      squares_around(logs, centre) / static_cast<double>(logs.size() - 1) - mean(expected);
  if (beyond_chance <= 0) return Common{std::exp(centre), infinite};
  const double half = inverse_trigamma(beyond_chance);
  return Common{std::exp(centre + digamma(half) - std::log(half)), 2 * half};
}

/// Expectation of the largest of so many squares of standard normal numbers: the integral of the
/// probability that it is above x.
double expected_largest(std::size_t count) {
  thread_local std::map<std::size_t, double> known;  // numbers that many series have
  if (!known.contains(count)) {
    known[count] = boost::math::quadrature::exp_sinh<double>().integrate(
        [&](double x) { return 1 - std::pow(std::erf(std::sqrt(x / 2)), static_cast<double>(count)); });
  }
  return known[count];
}

constexpr double confidence_of_all_looks = 0.95;

RatioEstimate ratio_at(std::span<const double> ratios, std::size_t look, std::size_t comparisons) {
  return mean_ratio(ratios,
                    bonferroni_confidence(confidence_of_all_looks, comparisons * look * (look + 1)));
}

}  // namespace

RunSpread successive_spread(std::span<const RunMedian> runs) {
  if (runs.size() < fewest_runs) return {};
  std::vector<double> squares;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const double difference = runs[i].log_median - runs[i - 1].log_median;
    squares.push_back(difference * difference / (1 / runs[i].processes + 1 / runs[i - 1].processes));
  }
  const auto count = static_cast<double>(squares.size());
  double freedom = 2 * count * count / (3 * count - 1);
  double expected = count;  // sum, in units of the variance
  if (squares.size() >= fewest_to_leave_out_one) {
    squares.erase(std::ranges::max_element(squares));
    expected -= expected_largest(squares.size() + 1);
    freedom *= (count - 1) / count;
  }
  return {std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0) / expected), freedom};
}

RunSpread pooled_spread(std::span<const std::vector<double>> log_medians) {
  double squares = 0;
  double freedom = 0;
  for (const std::vector<double>& series : log_medians) {
    if (series.empty()) continue;
    squares += squares_around(series, mean(series));
    freedom += static_cast<double>(series.size() - 1);
  }
  if (freedom == 0) return {};
  return {std::sqrt(squares / freedom), freedom};
}

std::vector<RunSpread> moderated(std::span<const RunSpread> spreads) {
  std::vector<RunSpread> result(spreads.begin(), spreads.end());
  const std::optional<Common> common = common_to(spreads);
  if (!common) return result;
  double all = 0;
  for (const RunSpread& spread : spreads) all += spread.freedom;
  for (RunSpread& spread : result) {
    const double own = spread.freedom / (common->freedom + spread.freedom);  // 0 beside infinitely many
    spread.deviation = std::sqrt((1 - own) * common->variance + own * spread.deviation * spread.deviation);
    spread.freedom = std::min(common->freedom + spread.freedom, all);
  }
  return result;
}

Interval with_spread(const RatioEstimate& within, const RunSpread& spread, double numerator,
                     double denominator, double confidence) {
  if (!within.interval.known() || !(spread.freedom > 0)) return unknown_interval;
  const double half = student_quantile(spread.freedom, confidence) * spread.deviation *
                      std::sqrt(1 / numerator + 1 / denominator);
  return {std::min(within.interval.low, within.ratio * std::exp(-half)),
          std::max(within.interval.high, within.ratio * std::exp(half))};
}

void Looks::look(std::size_t pairs) {
  if (!taken_.empty() && pairs <= taken_.back()) throw std::invalid_argument("a look without a new pair");
  taken_.push_back(pairs);
  next_ = pairs + (pairs + 1) / 2;
}

SequentialRatio sequential_verdict_of(std::span<const double> ratios, std::span<const std::size_t> looks,
                                      double threshold, std::size_t comparisons) {
  if (looks.empty() || looks.back() > ratios.size()) {
    throw std::invalid_argument("a comparison in pairs needs a look, and all the pairs that it saw");
  }
  const std::size_t pairs = looks.back();
  const std::size_t look = looks.size();
  SequentialRatio result;
  result.ratio = ratio_at(ratios.first(pairs), look, comparisons);
  result.verdict = verdict_of(result.ratio, threshold);
  if (result.verdict != Verdict::slower) return result;
  const bool claimed =
      look > 1 && looks[look - 2] + 1 == pairs &&
      verdict_of(ratio_at(ratios.first(pairs - 1), look - 1, comparisons), threshold) == Verdict::slower;
  if (claimed && ratios[pairs - 1] > 1 + threshold) return result;
  result.verdict = Verdict::not_resolved;
  result.unconfirmed = true;
  return result;
}

}  // namespace benchctl::stats

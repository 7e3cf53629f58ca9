#include "stats/race.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace benchctl::stats {

namespace {

constexpr double prior_deviation = 0.3;
constexpr double prior_freedom = 3;

/// Log values of each process of one competitor.
std::vector<std::vector<double>> logs_by_process(const RoundValues& rounds) {
  std::vector<std::vector<double>> processes;
  std::uint64_t latest = 0;
  for (const auto& [key, value] : rounds) {
    if (processes.empty() || key >> 32 != latest) processes.emplace_back();
    latest = key >> 32;
    processes.back().push_back(std::log(value));
  }
  return processes;
}

/// Log ratios of the common rounds, by process; none is empty.
std::vector<std::vector<double>> common_logs(const RoundValues& numerator, const RoundValues& denominator) {
  RoundValues ratios;
  for (const auto& [key, value] : numerator) {
    if (const auto other = denominator.find(key); other != denominator.end()) {
      ratios.emplace(key, value / other->second);
    }
  }
  return logs_by_process(ratios);
}

double median_of_values(const RoundValues& rounds) {
  std::vector<double> values;
  for (const auto& [key, value] : rounds) values.push_back(value);
  return median(values);
}

/// Variance of the median of so many normal values, as a share of theirs. For odd numbers within 2 %, of
/// even ones up to a fifth too large (tests/stats/race_test.cpp).
double variance_of_median(std::size_t n) {
  return std::numbers::pi / (2 * static_cast<double>(n) + std::numbers::pi - 2);
}

/// All pairs of a table hold together: whoever is chosen as the best is chosen by the same values.
double level_of_table(double confidence, std::size_t rows) {
  return rows < 2 ? confidence : bonferroni_confidence(confidence, rows * (rows - 1) / 2);
}

/// What is left of log medians once each row and each process has its own level. Rows that a process lacks
/// tell nothing.
void add_between(Scatter& scatter, std::vector<std::vector<double>> medians) {
  std::size_t processes = 0;
  for (const std::vector<double>& row : medians) processes = std::max(processes, row.size());
  std::erase_if(medians, [&](const std::vector<double>& row) { return row.size() < processes; });
  if (processes < 2 || medians.size() < 2) return;
  std::vector<std::vector<double>> by_process(processes);
  for (const std::vector<double>& row : medians) {
    const double level = mean(row);
    for (std::size_t i = 0; i < processes; ++i) by_process[i].push_back(row[i] - level);
  }
  double squares = 0;
  for (const std::vector<double>& column : by_process) squares += squares_around(column, mean(column));
  scatter.between_freedom = static_cast<double>((processes - 1) * (medians.size() - 1));
  scatter.between = std::sqrt(squares / scatter.between_freedom);
}

RatioEstimate around(double log_ratio, double error, double freedom, double confidence, std::size_t n) {
  const double half = student_quantile(freedom, confidence) * error;
  return {n, std::exp(log_ratio), {std::exp(log_ratio - half), std::exp(log_ratio + half)}};
}

}  // namespace

Scatter pooled_scatter(std::span<const RoundValues* const> rows) {
  double squares = prior_freedom * prior_deviation * prior_deviation;
  double freedom = prior_freedom;
  std::vector<std::vector<double>> medians;  // of each row, by process
  for (const RoundValues* row : rows) {
    std::vector<double>& own = medians.emplace_back();
    for (const std::vector<double>& logs : logs_by_process(*row)) {
      squares += squares_around(logs, mean(logs));
      freedom += static_cast<double>(logs.size() - 1);
      own.push_back(median(logs));
    }
  }
  Scatter scatter{std::sqrt(squares / freedom), freedom, 0, 0};
  add_between(scatter, std::move(medians));
  return scatter;
}

RatioEstimate ratio_by_rounds(const RoundValues& numerator, const RoundValues& denominator,
                              const Scatter& scatter, double confidence) {
  if (numerator.empty() || denominator.empty()) {
    throw std::invalid_argument("a competitor without a round cannot be compared");
  }
  const std::vector<std::vector<double>> processes = common_logs(numerator, denominator);
  if (processes.empty()) {
    const double error = scatter.deviation * std::sqrt(variance_of_median(numerator.size()) +
                                                       variance_of_median(denominator.size()));
    return around(std::log(median_of_values(numerator) / median_of_values(denominator)), error,
                  scatter.freedom, confidence, 0);
  }
  std::size_t rounds = 0;
  for (const std::vector<double>& logs : processes) rounds += logs.size();
  if (processes.size() > 1) {
    std::vector<double> ratios;
    for (const std::vector<double>& logs : processes) ratios.push_back(median(logs));
    const auto count = static_cast<double>(ratios.size());
    const double own = std::sqrt(squares_around(ratios, mean(ratios)) / (count - 1));
    const double error = std::max(scatter.between * std::numbers::sqrt2, own) / std::sqrt(count);
    return around(mean(ratios), error, std::max(scatter.between_freedom, count - 1), confidence, rounds);
  }
  const std::vector<double>& logs = processes.front();
  const double middle = median(logs);
  if (const Interval interval = median_interval(logs, confidence); interval.known()) {
    return {rounds, std::exp(middle), {std::exp(interval.low), std::exp(interval.high)}};
  }
  const double own =
      rounds < 2 ? 0 : std::sqrt(squares_around(logs, mean(logs)) / static_cast<double>(rounds - 1));
  const double error =
      std::max(scatter.deviation * std::numbers::sqrt2, own) * std::sqrt(variance_of_median(rounds));
  RatioEstimate estimate = around(middle, error, scatter.freedom, confidence, rounds);
  const auto [low, high] = std::ranges::minmax(logs);
  estimate.interval.low = std::min(estimate.interval.low, std::exp(low));
  estimate.interval.high = std::max(estimate.interval.high, std::exp(high));
  return estimate;
}

Race race_against(std::span<const RoundValues* const> rows, std::size_t best, const Scatter& scatter,
                  double confidence) {
  Race result;
  result.best = best;
  for (std::size_t open = rows.size();;) {
    const double level = level_of_table(confidence, open);
    result.comparisons = std::max<std::size_t>(1, open * (open - 1) / 2);
    result.ratios.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == best) {
        result.ratios.push_back({.n = rows[i]->size(), .ratio = 1, .interval = {1, 1}});
      } else {
        result.ratios.push_back(ratio_by_rounds(*rows[i], *rows[best], scatter, level));
      }
    }
    const auto slower = [](const RatioEstimate& ratio) { return ratio.interval.low > 1; };
    const std::size_t left =
        rows.size() - static_cast<std::size_t>(std::ranges::count_if(result.ratios, slower));
    if (left >= open) return result;
    open = left;
  }
}

Race race(std::span<const RoundValues* const> rows, const Scatter& scatter, double confidence) {
  std::vector<double> medians;
  for (const RoundValues* row : rows) medians.push_back(median_of_values(*row));
  const auto quickest = static_cast<std::size_t>(std::ranges::min_element(medians) - medians.begin());
  Race result = race_against(rows, quickest, scatter, confidence);
  // Ratios by rounds need not be transitive: there is an end to it.
  for (std::size_t changes = 1; changes < rows.size(); ++changes) {
    std::size_t better = result.best;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RatioEstimate& ratio = result.ratios[i];
      if (ratio.interval.high < 1 && ratio.ratio < result.ratios[better].ratio) better = i;
    }
    if (better == result.best) break;
    result = race_against(rows, better, scatter, confidence);
  }
  return result;
}

bool slower_between_processes(const ProcessMedian& one, const ProcessMedian& best) {
  constexpr std::uint32_t fewest_processes = 3;
  if (one.processes >= fewest_processes && best.processes >= fewest_processes && one.interval.known() &&
      best.interval.known()) {
    return ratio_of_medians({one.median, one.interval}, {best.median, best.interval}).interval.low > 1;
  }
  const double error = prior_deviation * std::sqrt(1.0 / one.processes + 1.0 / best.processes);
  return around(std::log(one.median / best.median), error, prior_freedom, confidence_of_race, 0)
             .interval.low > 1;
}

}  // namespace benchctl::stats

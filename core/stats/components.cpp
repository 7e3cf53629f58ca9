#include "stats/components.hpp"

#include "stats/order.hpp"
#include "stats/summary.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace benchctl::stats {

namespace {

/// A mean, and the variance that it has from the levels below it; unknown where these were not repeated.
struct Level {
  double mean{};
  std::optional<double> error;
};

/// Pools deviations of values from the means of their groups.
class Pool {
 public:
  /// The mean of a group; its error becomes known with `variance`.
  double add(const std::vector<Level>& group) {
    std::vector<double> values;
    for (const Level& level : group) values.push_back(level.mean);
    const double center = mean(values);
    if (group.size() < 2) return center;
    freedom_ += static_cast<double>(group.size() - 1);
    squares_ += squares_around(values, center);
    for (const Level& level : group) {
      below_ += level.error.value_or(0);
      ++members_;
    }
    return center;
  }

  /// Of a value around the mean of its group; unknown if no group has two.
  [[nodiscard]] std::optional<double> variance() const {
    if (freedom_ == 0) return std::nullopt;
    return squares_ / freedom_;
  }
  /// What the level itself adds to it.
  [[nodiscard]] std::optional<double> component() const {
    if (freedom_ == 0) return std::nullopt;
    return std::max(0.0, squares_ / freedom_ - below_ / members_);
  }
  [[nodiscard]] std::optional<double> error_of(std::size_t count) const {
    if (freedom_ == 0) return std::nullopt;
    return squares_ / freedom_ / static_cast<double>(count);
  }

 private:
  double squares_ = 0;
  double freedom_ = 0;
  double below_ = 0;
  double members_ = 0;
};

/// The means of groups, whose errors follow from the pool of all.
std::vector<Level> means_of(const std::vector<std::vector<Level>>& groups, Pool& pool) {
  std::vector<Level> means;
  for (const std::vector<Level>& group : groups) means.push_back({pool.add(group), {}});
  for (std::size_t i = 0; i < groups.size(); ++i) means[i].error = pool.error_of(groups[i].size());
  return means;
}

/// Puts each run of `sizes` neighbours into one group.
std::vector<std::vector<Level>> grouped(const std::vector<Level>& levels,
                                        const std::vector<std::size_t>& sizes) {
  std::vector<std::vector<Level>> groups;
  auto next = levels.begin();
  for (const std::size_t size : sizes) {
    groups.emplace_back(next, next + static_cast<std::ptrdiff_t>(size));
    next += static_cast<std::ptrdiff_t>(size);
  }
  return groups;
}

}  // namespace

VarianceComponents variance_components(const NestedTimes& times) {
  std::vector<std::vector<Level>> blocks;
  std::vector<std::size_t> blocks_in_process;
  std::vector<std::size_t> processes_in_run;
  for (const auto& run : times) {
    std::size_t processes = 0;
    for (const auto& process : run) {
      std::size_t count = 0;
      for (const std::vector<double>& block : process) {
        if (block.empty()) continue;
        std::vector<Level>& values = blocks.emplace_back();
        for (const double value : block) values.push_back({value, {}});
        ++count;
      }
      if (count == 0) continue;
      blocks_in_process.push_back(count);
      ++processes;
    }
    if (processes > 0) processes_in_run.push_back(processes);
  }
  VarianceComponents result;
  if (blocks.empty()) return result;
  Pool executions;
  Pool of_blocks;
  Pool processes;
  Pool runs;
  const std::vector<Level> block_means = means_of(blocks, executions);
  const std::vector<Level> process_means = means_of(grouped(block_means, blocks_in_process), of_blocks);
  const std::vector<Level> run_means = means_of(grouped(process_means, processes_in_run), processes);
  std::vector<Level> all = run_means;
  // Runs of one process each: what processes add cannot be told from what runs add.
  if (!processes.variance()) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].error = process_means[i].error;
  }
  runs.add(all);
  result.executions = executions.component();
  result.blocks = of_blocks.component();
  result.processes = processes.component();
  result.runs = runs.component();
  result.of_process_mean = processes.variance();
  result.of_run_mean = runs.variance();
  result.processes_in_run =
      static_cast<double>(process_means.size()) / static_cast<double>(run_means.size());
  return result;
}

unsigned processes_to_find(double share, double variance) {
  if (!(share > 0) || std::isinf(share)) throw std::invalid_argument("a difference to find is above 0");
  if (!(variance >= 0)) throw std::invalid_argument("a variance is not negative");
  constexpr double confidence = 0.975;
  constexpr double power = 0.95;
  constexpr unsigned most = 10'000;
  const double difference = std::log1p(share);
  for (unsigned count = 2;; ++count) {
    const boost::math::students_t distribution(2.0 * count - 2);
    const double quantiles =
        boost::math::quantile(distribution, confidence) + boost::math::quantile(distribution, power);
    if (count == most || quantiles * std::sqrt(2 * variance / count) <= difference) return count;
  }
}

std::optional<double> executions_worthwhile(const VarianceComponents& components, double process_seconds,
                                            double execution_seconds) {
  if (!components.executions || !(components.processes.value_or(0) > 0) || !(execution_seconds > 0))
    return std::nullopt;
  return std::max(
      1.0, std::sqrt(process_seconds / execution_seconds * *components.executions / *components.processes));
}

}  // namespace benchctl::stats

// What a time varies by, level by level: executions of a block, blocks of a process, processes of a run,
// runs. And how often each level must be repeated.
#pragma once

#include <optional>
#include <vector>

namespace benchctl::stats {

/// Logarithms of times, by run, process and block, in the order of time.
using NestedTimes = std::vector<std::vector<std::vector<std::vector<double>>>>;

/// Variances of log times that each level adds to those below it. Unknown where no level below the next one
/// was ever repeated; what such a level adds is then in the next.
struct VarianceComponents {
  std::optional<double> executions;
  std::optional<double> blocks;
  std::optional<double> processes;
  std::optional<double> runs;
  std::optional<double> of_process_mean;  ///< of the means of a run's processes, around that of the run
  std::optional<double> of_run_mean;      ///< of the means of runs
  double processes_in_run = 1;            ///< that such a mean has, in the mean
};

/// Analysis of variance for nested levels of any sizes: the mean square of each level's means less what the
/// levels below contribute, at least 0 (Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM
/// 2013, sections 6–7). Levels without values are left out.
[[nodiscard]] VarianceComponents variance_components(const NestedTimes& times);

/// Fresh processes for each of two sides, in turns, so that a difference of `share` (0.02: 2 %) is found in
/// 95 % of cases by Student's 95 % interval, if the mean log time of a process has that variance. At least
/// 2, at most 10,000. std::invalid_argument for a share that is not above 0 or a negative variance.
[[nodiscard]] unsigned processes_to_find(double share, double variance);

/// Executions in each process after which another process tells more for its time than another execution:
/// √(cost of a process / cost of an execution · variance of executions / variance of processes), at least 1
/// (ibid., section 7.2). Unknown where processes do not vary.
[[nodiscard]] std::optional<double> executions_worthwhile(const VarianceComponents& components,
                                                          double process_seconds, double execution_seconds);

}  // namespace benchctl::stats

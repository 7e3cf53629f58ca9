// The end of a run with a budget: libraries that compile, then points that the budget ended too early.
#pragma once

#include "engine/refinement.hpp"
#include "engine/run_context.hpp"
#include "sweep/group.hpp"

namespace benchctl {

/// Groups of points to be measured, whatever became of them before.
[[nodiscard]] std::vector<Group> groups_of(const std::vector<RunPoint>& points,
                                           const std::vector<std::size_t>& indices,
                                           const Workloads& workloads, const LaneTable& lanes);

/// Is it a library that compiles its kernels? With a budget these come when all others have a time.
[[nodiscard]] bool is_slow_library(const RunPoint& entry, const Catalogue& catalogue);

/// Spends what is left of a budget on the first `own` points of the run: those of searches are left out,
/// what a search has left goes to its finals.
class Refiner {
 public:
  Refiner(RunContext& context, const LaneTable& lanes, std::size_t own, double budget_seconds,
          std::function<double()> budget_left)
      : context_(context),
        points_(context.points),
        lanes_(lanes),
        own_(own),
        budget_seconds_(budget_seconds),
        budget_left_(std::move(budget_left)) {}

  void run();

 private:
  /// Groups of the first `own` points that are `wanted`.
  [[nodiscard]] std::vector<Group> groups_with(const std::function<bool(const RunPoint&)>& wanted) const;
  /// Measures the slow libraries, each beside the fastest of its device.
  void measure_libraries();
  /// Measures finished points of a group again, together with what is open of it.
  void measure_again(const Group& group, double seconds);
  [[nodiscard]] std::vector<Refinable> refinable(const std::vector<Group>& groups) const;

  RunContext& context_;
  std::vector<RunPoint>& points_;
  const LaneTable& lanes_;
  std::size_t own_;
  double budget_seconds_;
  std::function<double()> budget_left_;
};

}  // namespace benchctl

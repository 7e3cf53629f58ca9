// The end of a run with a budget: libraries that compile, then points that the budget ended too early.
#pragma once

#include "engine/run_context.hpp"
#include "sweep/group.hpp"

namespace benchctl {

/// Groups of points to be measured, whatever became of them before.
[[nodiscard]] std::vector<Group> groups_of(const std::vector<RunPoint>& points,
                                           const std::vector<std::size_t>& indices,
                                           const Workloads& workloads, const LaneTable& lanes);

/// Is it a library that compiles its kernels? With a budget these come when all others have a time.
[[nodiscard]] bool is_slow_library(const RunPoint& entry, const Catalogue& catalogue);

/// A point that has a time.
struct Refinable {
  std::size_t point = 0;     ///< the caller's index
  std::size_t group = 0;     ///< those of one group are sampled in turns
  double work = 0;           ///< operations and bytes of its problem
  bool contested = false;    ///< whether it is the fastest is not known
  bool ended_early = false;  ///< by the budget, before its stop rule or its own cap
  bool paired = false;       ///< means something only together with all of its group
  double excess = 1;         ///< half the width of its interval over the target; infinite without interval
  double spent_seconds = 0;  ///< time spent on it so far
  double round_seconds = 0;  ///< how long its next samples take
  double overhead_seconds = 0;  ///< the rest of its group's turn: reference, upload, preparing, auditing
};

/// One more turn of one group.
struct RefiningStep {
  std::size_t group = 0;
  std::vector<std::size_t> points;
  double seconds = 0;  ///< for their samples
};

/// Groups in which it is not known who is the fastest come first: in turns, the smallest problem first,
/// since headlines speak of it; only points that are contested, and first of groups that can have three
/// more rounds. Then points that the budget ended outside their target, the widest interval first. A turn
/// takes as long as its points have had so far, at least as long as it costs beside samples. A group that
/// cannot be brought up in what is left gets no turn. Nothing if no point wants one or the budget is used.
/// `turns`: how many each group has had.
[[nodiscard]] std::optional<RefiningStep> next_refining(std::span<const Refinable> points,
                                                        std::span<const std::size_t> turns,
                                                        double budget_seconds, double left_seconds);

/// Spends what is left of a budget on the first `own` points of the run: those of searches are left out,
/// what a search has left goes to its finals. Roofs are left out, too: predictions stand on them.
void refine(RunContext& run, const LaneTable& lanes, std::size_t own, const CompareSettings& compare);

}  // namespace benchctl

// Where what is left of a budget goes, once every point is covered. Pure; the refiner measures.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace benchctl {

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

}  // namespace benchctl

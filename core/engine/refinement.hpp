// What is left of a run's budget when every point is covered: which points get more of it, and how much.
// Pure arithmetic; the coordinator measures.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>

namespace benchctl {

/// A point that has a result, but was ended by the budget before its stop rule or its own cap ended it.
struct Refinable {
  std::size_t point = 0;     ///< of the caller
  std::size_t group = 0;     ///< those of one group are sampled in turns
  double excess = 1;         ///< half the width of its interval over the target; infinite without interval
  double spent_seconds = 0;  ///< that it has had
  double overhead_seconds = 0;  ///< of a turn of its group: reference, upload, preparing, reading
  bool paired = false;          ///< means something only together with all of its group
};

/// One more turn of one group.
struct RefiningStep {
  std::size_t group = 0;
  std::map<std::size_t, double> seconds;  ///< that each point may take
};

/// The points with the widest intervals, all of one group: as long as they should need to reach their
/// targets, but no longer than they have had so far, so that others whose intervals are wider by then come
/// first. A group that cannot be brought up in what is left of the budget gets no turn. Nothing when no
/// point wants one or the budget is used.
[[nodiscard]] std::optional<RefiningStep> next_refining(std::span<const Refinable> points,
                                                        double budget_seconds, double left_seconds);

}  // namespace benchctl

// The second phase: points that are ready are sampled in turns, until each has what it needs.
#pragma once

#include "engine/measured_group.hpp"

namespace benchctl {

class Rounds {
 public:
  /// The rounds of the group's current replicate. From now on its time runs.
  explicit Rounds(MeasuredGroup& group);

  /// Warms a ready point up, and samples it as soon as it is: it has a time then, whatever comes. This does
  /// not count as a common round.
  void cover(ActivePoint& active);
  /// Whoever can be is ready: those that compiled for long get some rounds nevertheless.
  void begin();
  /// Rounds in an order that is drawn anew, until no point is open or the time is up.
  void take();

 private:
  /// False when the time is up.
  [[nodiscard]] bool take_one(const std::vector<ActivePoint*>& order);

  MeasuredGroup& group_;
  RunContext& run_;
  double seconds_;  ///< for all open points, with verifying and auditing
};

}  // namespace benchctl

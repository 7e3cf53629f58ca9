// The last phase: what was sampled is verified again, audited and stored, and it is settled who is the
// fastest.
#pragma once

#include "engine/measured_group.hpp"

namespace benchctl {

class Conclude {
 public:
  explicit Conclude(MeasuredGroup& group) : group_(group), run_(group.run) {}

  /// Verifies, audits and stores all points, those that are named as the fastest first. Under a budget
  /// others are left unaudited when the time is up. False if there must be rounds again: one fell that
  /// others had been slower than.
  [[nodiscard]] bool all();
  /// Stores who is the fastest.
  void compare();

 private:
  void conclude(ActivePoint& active);
  /// Verifies and audits. Is its time to be stored?
  [[nodiscard]] bool is_believable(ActivePoint& active);
  /// Takes back into the rounds those that left them on the lane of `fallen`. Are there any?
  [[nodiscard]] bool reopen(const ActivePoint& fallen);
  /// Is the point's time believable? If not it has its final status afterwards.
  bool audit(ActivePoint& active);
  /// Did the run's first process audit it, without doubt? Takes what that found.
  [[nodiscard]] bool was_audited(ActivePoint& active) const;
  /// `doubted`: all audits, and larger ones. False if it has its final status afterwards.
  bool run_audits(ActivePoint& active, double median_ns, bool doubted);
  /// Readings that need a pass of their own, which nothing is timed in.
  void observe(ActivePoint& active);

  MeasuredGroup& group_;
  RunContext& run_;
};

}  // namespace benchctl

// The first phase: references, compiled kernels, opened devices, uploaded problems, prepared and verified
// variants.
#pragma once

#include "engine/measured_group.hpp"

namespace benchctl {

class Prepare {
 public:
  explicit Prepare(MeasuredGroup& group) : group_(group), run_(group.run) {}

  /// The references of all draws of inputs, for each size. False if none could be made.
  [[nodiscard]] bool make_references();
  /// Compiles what can be compiled without a device, several kernels at a time.
  void compile();
  /// Makes points ready and hands over each that is right: first those that need no compiler, then our
  /// kernels, then vendors' libraries, which may compile for longest. What there is no time for is put off.
  void each(const std::function<void(ActivePoint&)>& take);
  /// While GPUs are timed, the processor computes references.
  void compute_ahead();

 private:
  /// Points of the trusted kernel itself end with its status, all others of that size with launch_error.
  void end_without_reference(const GroupProblem& problem, const std::string& why, Status of_trusted);
  /// Is there no time left to make it ready?
  [[nodiscard]] bool must_wait(const ActivePoint& active) const;
  void verify(ActivePoint& active);

  MeasuredGroup& group_;
  RunContext& run_;
};

}  // namespace benchctl

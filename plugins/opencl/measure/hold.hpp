// Keeping a GPU busy in front of a sample, so that all of it is queued before its first command can start.
#pragma once

#include "driver/open_device.hpp"

namespace benchctl::opencl {

/// A kernel of one work-item that only computes, for about as long as it is told to. What is queued behind
/// it waits on the device; behind a user event, drivers keep commands back and hand them over one by one
/// once it is set, and short kernels then wait for that: NVIDIA's takes 6 to 8 µs for each.
class HoldKernel {
 public:
  explicit HoldKernel(const OpenDevice& device) : device_(device) {}

  /// Do the driver's time stamps tell how long it runs? The first call makes it and tries it out.
  [[nodiscard]] bool usable();
  /// Queues it, to run for about `ns` nanoseconds, and sends it off. Only if usable.
  void start(double ns);
  /// Has it not ended yet? True right after everything else was sent off: nothing of that has started.
  [[nodiscard]] bool running() const;
  /// After it ended: learns from its time stamps how long a step takes.
  void learn();
  /// Event of the run started last; its end is when what follows may start.
  [[nodiscard]] const EventHandle& event() const noexcept { return event_; }

 private:
  void prepare();
  void launch();

  const OpenDevice& device_;
  BufferHandle word_;
  KernelHandle kernel_;
  EventHandle event_;
  cl_uint steps_ = 0;  ///< steps of the run started last
  double step_ns_ = 0;
};

}  // namespace benchctl::opencl

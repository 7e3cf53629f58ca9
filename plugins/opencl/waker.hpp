// Has the threads of a processor awake when a sample begins.
#pragma once

#include "open_device.hpp"

namespace benchctl::opencl {

/// Two small kernels before the first command of a sample (kernels/wake.cl). Without them the sample would
/// begin with the waking of the driver's threads, which is no more of the device's time than the launching
/// that the gate keeps out of it; cpu_avx's own threads watch for work between two samples, too.
class Waker {
 public:
  explicit Waker(const OpenDevice& device);

  /// Is the device a processor with more than one thread, and may each have one to itself?
  [[nodiscard]] bool useful() const { return useful_; }
  /// Compiles the kernels, unless that has been done.
  void prepare();
  /// Queues both, behind the gate: what the device's queue is given next begins with all threads awake.
  void enqueue(cl_event gate);
  /// Waits for the end of what `enqueue` queued, after the gate has been opened.
  void finish() const;

 private:
  const OpenDevice& device_;
  bool useful_;
  QueueHandle queue_;  ///< the watchers': beside the device's
  BufferHandle arrived_;
  BufferHandle called_;
  KernelHandle watch_;
  KernelHandle call_;
  cl_uint turn_ = 0;
};

}  // namespace benchctl::opencl

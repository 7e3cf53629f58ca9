// Takes samples of a piece of work: caches, gate, clocks.
#pragma once

#include "buffers.hpp"
#include "measure/evictor.hpp"
#include "measure/gate.hpp"
#include "measure/hold.hpp"
#include "measure/hold_time.hpp"
#include "work.hpp"

namespace benchctl::opencl {

/// The measuring part of a session, shared by everything that is measured on the device.
class Sampler {
 public:
  explicit Sampler(const OpenDevice& device);

  /// Executes once and waits; host nanoseconds.
  double run(Work& work, std::uint32_t set) const;
  /// Failure unsupported for `launch = graph`, which OpenCL does not have.
  [[nodiscard]] SampleBlock sample(Work& work, const Buffers& buffers, const SampleRequest& request);

 private:
  struct DeviceSample {
    double device_ns = 0;  ///< by the events; 0 or less when they are unusable
    double host_ns = 0;
    bool held = false;
  };

  [[nodiscard]] SampleBlock sample_device(Work& work, const SampleRequest& request);
  [[nodiscard]] SampleBlock sample_host(Work& work, const SampleRequest& request);
  [[nodiscard]] SampleBlock sample_end_to_end(Work& work, const Buffers& buffers,
                                              const SampleRequest& request);
  /// Queues the executions of the sample of that index. `first` and `last` may be null.
  void queue(Work& work, const SampleRequest& request, std::uint32_t index, cl_event gate,
             EventHandle* first, EventHandle* last) const;
  /// The sample of that index of a request, behind a closed gate if `hold`.
  [[nodiscard]] DeviceSample take_sample(Work& work, const SampleRequest& request, std::uint32_t index,
                                         bool hold);
  /// The same behind a kernel that keeps the device busy.
  [[nodiscard]] DeviceSample take_sample_behind_kernel(Work& work, const SampleRequest& request,
                                                       std::uint32_t index);
  /// All samples of a request. With `hold` up to the first that could not be held, which is the last then.
  [[nodiscard]] std::vector<DeviceSample> take_samples(Work& work, const SampleRequest& request, bool hold);
  /// Why this work's commands are not held back, or an empty text.
  [[nodiscard]] std::string objection(const Work& work, const SampleRequest& request);
  void prepare_cache(const SampleRequest& request);

  const OpenDevice& device_;
  Evictor evictor_;
  bool by_kernel_;  ///< held by a kernel, not by a user event
  HoldKernel hold_;
  HoldTime hold_time_;
  Gate gate_;
  std::string gate_objection_;
};

}  // namespace benchctl::opencl

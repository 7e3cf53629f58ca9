// What taking samples is on every device: which requests can be, the host's clock, whether stamps can be.
#pragma once

#include <benchctl/backend.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

namespace benchctl::gpu {

using Clock = std::chrono::steady_clock;

/// Nanoseconds.
inline double since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// Calls a sample's hook at both ends, if there is one.
class HookCall {
 public:
  explicit HookCall(SampleHook* hook) : hook_(hook) {
    if (hook_ != nullptr) hook_->begin();
  }
  HookCall(const HookCall&) = delete;
  HookCall& operator=(const HookCall&) = delete;
  ~HookCall() {
    if (hook_ != nullptr) hook_->end();
  }

 private:
  SampleHook* hook_;
};

/// Failure unsupported for a request that needs more than a problem's sets, or asks for nothing.
inline void check_request(const SampleRequest& request, std::uint32_t sets) {
  if (request.batch > 0 && request.sets > 0 && std::max(request.sets, request.set + 1) <= sets) return;
  throw Failure(FailureKind::unsupported, "a sample of " + std::to_string(request.batch) +
                                              " executions on " + std::to_string(request.sets) +
                                              " sets from " + std::to_string(request.set) + ": there are " +
                                              std::to_string(sets));
}

/// Failure unsupported for a problem that cannot be timed end to end.
inline void check_end_to_end(const ProblemSpec& problem) {
  if (std::ranges::all_of(problem.buffers,
                          [](const BufferSpec& buffer) { return buffer.space == Space::device; }))
    return;
  throw Failure(
      FailureKind::unsupported,
      "basis = \"end_to_end\" copies a problem to the device and back, and parts of this one live "
      "in host memory: use \"device\" or \"host_sync\"");
}

/// Samples by the host's clock: `prepare` is not timed, `execute` takes the number of the first execution
/// of a sample, does all of its executions and waits for them.
template <class Prepare, class Execute>
SampleBlock timed_by_host(const SampleRequest& request, const Prepare& prepare, const Execute& execute) {
  SampleBlock block;
  block.ns.reserve(request.count);
  for (std::uint32_t sample = 0; sample < request.count; ++sample) {
    prepare();
    const HookCall hook(request.hook);
    const auto start = Clock::now();
    execute(std::uint64_t{sample} * request.batch);
    block.ns.push_back(since(start) / request.batch);
  }
  return block;
}

/// A sample by the device's clock.
struct DeviceTime {
  double device_ns = 0;  ///< 0 or less where the driver's stamps are unusable
  double host_ns = 0;    ///< that the host waited for the same work
  bool held = false;     ///< nothing of it began before all was queued
  bool retry = false;    ///< it was not held, and may be next time
};

/// Queues executions of a sample: so many, from a first one on.
using QueueSome = std::function<void(std::uint32_t first, std::uint32_t executions)>;

inline constexpr const char* began_early_text = "commands that were held began before all were queued";

/// No work takes longer on the device than its host waited for it; the clocks may differ a little.
inline bool can_be(const DeviceTime& time) {
  return time.device_ns > 0 && time.device_ns < 1.1 * time.host_ns + 1e6;
}

}  // namespace benchctl::gpu

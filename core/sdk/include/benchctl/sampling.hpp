// What one observation is. Times are always nanoseconds of one execution of the variant.
#pragma once

#include <benchctl/types.hpp>

#include <vector>

namespace benchctl {

/// State of the caches before a sample.
enum class CacheMode : std::uint8_t {
  hot,     ///< as the execution before left them
  cold,    ///< evicted by reading a buffer larger than the last-level cache
  rotate,  ///< the next of several sets of buffers
};

/// How executions are handed to the device.
enum class LaunchMode : std::uint8_t { stream, graph };

/// Which clock a time comes from. Times with different bases are never put into one table.
enum class Basis : std::uint8_t {
  device,      ///< device timers around the executions (CPU: the steady clock)
  host_sync,   ///< host clock around launch and synchronisation of each execution, or of a whole graph
  end_to_end,  ///< upload of inputs, execution, download of outputs, on the host clock
};

BENCHCTL_WORDS(CacheMode, hot, cold, rotate)
BENCHCTL_WORDS(LaunchMode, stream, graph)
BENCHCTL_WORDS(Basis, device, host_sync, end_to_end)

/// Backends that can call it for each sample: right before its first execution and right after its last,
/// outside of the timed interval.
class SampleHook {
 public:
  /// Before a sample's first execution.
  virtual void begin() = 0;
  /// After its last.
  virtual void end() = 0;

 protected:
  ~SampleHook() = default;
};

/// How to take a block of samples. A backend refuses what it cannot do: FailureKind::unsupported.
struct SampleRequest {
  CacheMode cache = CacheMode::hot;        ///< state of the caches before each sample
  LaunchMode launch = LaunchMode::stream;  ///< how executions reach the device
  Basis basis = Basis::device;             ///< on which clock
  std::uint32_t batch = 1;  ///< executions per sample; the sample is their mean; with `cold` at most `sets`
  std::uint32_t count = 1;  ///< samples wanted
  std::uint32_t sets = 1;   ///< how many of the problem's sets of buffers the executions use in turn
  std::uint32_t set = 0;    ///< which of them the first execution uses
  /// May be null; a backend that cannot call it ignores it.
  SampleHook* hook = nullptr;
};

/// The set of an execution of a request, counted from 0 over all its samples. A cold sample evicts the
/// caches once; its executions all stay cold because each has a set of its own.
[[nodiscard]] constexpr std::uint32_t set_of(const SampleRequest& request, std::uint64_t execution) {
  return static_cast<std::uint32_t>((request.set + execution) % request.sets);
}

/// Samples taken by one request, in order.
struct SampleBlock {
  std::vector<double> ns;   ///< per execution, one value a sample
  std::uint32_t batch = 1;  ///< executions per sample, as in the request
  /// Were all launches of a sample queued before the device was let go, so that launch latency
  /// cannot be in it? False also where that has no meaning (CPU, host clock).
  bool gated = false;
  /// Readings beside the times, by metric id: one value per sample, or one for the block.
  /// Observers add to it; a backend may give readings of its own.
  std::map<std::string, std::vector<double>, std::less<>> readings;
  std::string note;  ///< facts that a reader of the numbers needs, e.g. why it was not gated
};

}  // namespace benchctl

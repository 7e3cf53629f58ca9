// Holds a stream back until everything of a sample is queued, so that the time it takes the host to launch
// is not in it.
#pragma once

#include "driver/handles.hpp"
#include "gpu/gate.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace benchctl::cuda {

/// The stream waits until a 32-bit word in pinned host memory reaches a ticket; opening the gate stores
/// that ticket. Should the host get stuck behind the closed gate, a watchdog opens it after `gate_timeout`,
/// and from then on the gate refuses to close.
class StreamGate {
 public:
  /// `objection`: why it must not be used here (gate_policy.hpp), or empty. `driver` and `stream` outlive
  /// it.
  StreamGate(const DriverApi& driver, CUstream stream, std::string objection);
  StreamGate(const StreamGate&) = delete;
  StreamGate& operator=(const StreamGate&) = delete;
  ~StreamGate();

  /// Why it cannot be closed any more, or empty.
  [[nodiscard]] std::string objection() const;

  /// Queues the wait. False, with `objection` set, when the device cannot do that.
  [[nodiscard]] bool close();
  /// Lets the stream go; harmless when open.
  void open() noexcept;

 private:
  void store(std::uint32_t ticket) noexcept;

  const DriverApi& driver_;
  CUstream stream_;
  PinnedMemory flag_;
  CUdeviceptr device_flag_ = 0;

  std::string objection_;
  std::uint32_t ticket_ = 0;
  std::optional<gpu::GateWatchdog> watchdog_;  // last: its thread ends first
};

}  // namespace benchctl::cuda

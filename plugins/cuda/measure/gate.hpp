// Holds a stream back until everything of a sample is queued, so that the time it takes the host to launch
// is not in it.
#pragma once

#include "driver/handles.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace benchctl::cuda {

/// The stream waits until a 32-bit word in pinned host memory reaches a ticket; opening the gate stores
/// that ticket. Should the host get stuck behind the closed gate, a thread opens it after `gate_timeout`,
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
  void watch();
  void store(std::uint32_t ticket) noexcept;

  const DriverApi& driver_;
  CUstream stream_;
  PinnedMemory flag_;
  CUdeviceptr device_flag_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string objection_;
  std::uint32_t ticket_ = 0;
  bool closed_ = false;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::thread watchdog_;  // last: starts when everything else is there
};

/// Opens the gate at the end of a scope, exceptions included.
class GateOpener {
 public:
  explicit GateOpener(StreamGate& gate) : gate_(gate) {}
  GateOpener(const GateOpener&) = delete;
  GateOpener& operator=(const GateOpener&) = delete;
  ~GateOpener() { gate_.open(); }

 private:
  StreamGate& gate_;
};

}  // namespace benchctl::cuda

// What gates have in common: who opens one that the host is stuck behind, and where none may be closed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

namespace benchctl::gpu {

/// Is a variable such as BENCHCTL_NO_GATE set to something other than 0?
[[nodiscard]] bool is_switched_on(std::string_view value);

/// The process that traces this one, such as a debugger: `TracerPid` of /proc/self/status. 0 for none.
[[nodiscard]] long tracer_of_this_process();

/// Opens a gate that is still closed when its time is over: a driver may wait, inside a call that queues a
/// command, for commands that wait for the gate.
class GateWatchdog {
 public:
  /// `open` lets the queue go. It runs in the watchdog's thread, at most once per closing.
  GateWatchdog(std::chrono::nanoseconds time_out, std::function<void()> open);
  GateWatchdog(const GateWatchdog&) = delete;
  GateWatchdog& operator=(const GateWatchdog&) = delete;
  ~GateWatchdog() = default;

  /// The gate was closed: its time begins.
  void closed();
  /// The host opens the gate with `open`. False, and `open` is not called, when the gate is open already:
  /// the watchdog came first, or nobody closed it.
  bool opens(const std::function<void()>& open);
  /// Has the watchdog opened a gate?
  [[nodiscard]] bool fired() const;

 private:
  using Clock = std::chrono::steady_clock;

  void watch(const std::stop_token& stop);

  std::chrono::nanoseconds time_out_;
  std::function<void()> open_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool closed_ = false;
  bool fired_ = false;
  bool idle_ = false;  ///< waits for a closing
  Clock::time_point closed_at_;
  std::jthread thread_;  // last: starts when everything else is there
};

/// Opens a gate at the end of a scope in which work is queued behind it, exceptions included.
template <class Gate>
class GateGuard {
 public:
  explicit GateGuard(Gate& gate) : gate_(gate) {}
  GateGuard(const GateGuard&) = delete;
  GateGuard& operator=(const GateGuard&) = delete;
  ~GateGuard() { gate_.open(); }

 private:
  Gate& gate_;
};

}  // namespace benchctl::gpu

// What interrupts this process: Ctrl-C ends a run, Ctrl-Z stops its time.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace benchctl {

/// Ended by Ctrl-C before there was anything to keep.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Installs handlers for SIGINT and SIGTERM as long as it lives. Inside another one it does nothing.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();
  [[nodiscard]] static bool requested();
};

/// Seconds in which this process could run: time in which it was stopped (Ctrl-Z) does not count.
/// A thread looks at `now` a few times a second. Where much more time has passed than between two looks,
/// the process was stopped, and the rest does not count.
class RunningClock {
 public:
  /// `now`: seconds since some fixed moment.
  explicit RunningClock(std::function<double()> now);
  ~RunningClock();
  RunningClock(const RunningClock&) = delete;
  RunningClock& operator=(const RunningClock&) = delete;

  /// Seconds since the clock was made.
  [[nodiscard]] double seconds();

 private:
  void look();

  std::function<double()> now_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  double last_;
  double counted_ = 0;
  std::thread thread_;  ///< the last member: it uses the others
};

}  // namespace benchctl

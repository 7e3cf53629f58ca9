// Ctrl-C: the first finishes the verb in flight and stops cleanly, the second stops at once.
#pragma once

#include <stdexcept>

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

}  // namespace benchctl

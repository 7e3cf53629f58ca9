// Ctrl-C: the first finishes the verb in flight and stops cleanly, the second stops at once.
#pragma once

namespace benchctl {

/// Installs handlers for SIGINT and SIGTERM as long as it lives.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();
  [[nodiscard]] static bool requested();
};

}  // namespace benchctl

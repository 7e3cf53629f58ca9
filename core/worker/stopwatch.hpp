// The steady clock.
#pragma once

#include <chrono>

namespace benchctl {

/// Seconds of the steady clock.
[[nodiscard]] inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds since it was made, by the steady clock.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return steady_seconds() - start_; }

 private:
  double start_ = steady_seconds();
};

}  // namespace benchctl

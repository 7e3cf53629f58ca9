// What disturbed a sample: context switches of the calling thread, and time that the hypervisor took away.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace benchctl::cpu_avx {

/// Voluntary and involuntary context switches of the calling thread so far.
[[nodiscard]] double context_switches();

/// Time stolen from some processors, read from /proc/stat, whose step is 10 ms and whose reading costs
/// as much as a short sample: so it is read at most once per step, and what was stolen since the last
/// reading counts for the sample after which it is read.
class StealClock {
 public:
  explicit StealClock(std::vector<int> cpus);
  /// Nanoseconds stolen since the last reading; 0 between readings. `now`: read in any case.
  [[nodiscard]] double since_last(bool now);

 private:
  [[nodiscard]] std::uint64_t ticks() const;

  std::vector<int> cpus_;
  std::uint64_t last_ticks_ = 0;
  std::chrono::steady_clock::time_point last_time_;
};

}  // namespace benchctl::cpu_avx

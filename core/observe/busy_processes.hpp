// Which other processes use the processors while this one measures, and how long its threads wait for one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace benchctl {

/// How the sentence begins that `BusyProcesses::text` writes.
inline constexpr std::string_view busy_words = "other processes used";

/// Adds up the processor time of processes that are neither `self` nor started by it, by name. What begins
/// and ends between two looks is not seen.
class BusyProcesses {
 public:
  /// `proc`: where /proc is; tests bring their own.
  explicit BusyProcesses(std::filesystem::path proc, pid_t self);

  /// Reads the times of all processes: those of the first look are where counting begins. A folder that
  /// cannot be read counts nothing.
  void look();

  /// `other processes used 84 s of processor time in 60 s, most of all cc1plus (65 s), ninja (2.1 s)`.
  /// Empty if it was less than a tenth of a processor. `seconds`: from the first look to the last.
  [[nodiscard]] std::string text(double seconds) const;

 private:
  /// A number is given again when its process has ended: the start tells them apart.
  struct Process {
    double started = 0;
    double ticks = 0;
  };

  std::filesystem::path proc_;
  pid_t self_;
  bool looked_ = false;
  std::map<pid_t, Process> seen_;
  std::map<std::string, double> ticks_;  ///< used by others since the first look, by name
};

/// How long each thread has waited for a processor since it began, in nanoseconds, by its number: from
/// task/*/schedstat in a folder such as /proc/self. Empty where the kernel does not tell.
using RunQueueWaits = std::map<std::string, double>;
[[nodiscard]] RunQueueWaits run_queue_waits(const std::filesystem::path& process);

/// How much later an execution ended, at most, because threads waited for a processor: the wait of the
/// thread `caller`, and the longest of the others, which wait at the same time.
[[nodiscard]] double waited_ns(const RunQueueWaits& before, const RunQueueWaits& after,
                               const std::string& caller);

}  // namespace benchctl

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

/// How long the threads of a process wait for a processor: from task/*/schedstat in a folder such as
/// /proc/self.
class RunQueue {
 public:
  explicit RunQueue(const std::filesystem::path& process) : tasks_(process / "task") {}

  /// From now on.
  void begin();
  /// How much later, at most, an execution since then ended because threads waited, in nanoseconds: the
  /// wait of the thread `caller`, and the longest of the others, which wait at the same time. 0 where the
  /// kernel does not tell.
  [[nodiscard]] double waited_ns(pid_t caller);

 private:
  /// Its open file: audits read it around each execution, and opening it takes longer than reading.
  class Thread {
   public:
    explicit Thread(const std::filesystem::path& task);
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    ~Thread();
    /// All its waits until now, ns; less than 0 if it has ended, or the kernel does not tell.
    [[nodiscard]] double read() const;

    double before = 0;  ///< when this began

   private:
    int file_;
  };

  /// Finds the threads, if their number has changed or one has ended.
  void look(bool ended);

  std::filesystem::path tasks_;
  std::uintmax_t links_ = 0;  ///< the folder has one for each thread, and two
  std::map<pid_t, Thread> threads_;
};

}  // namespace benchctl

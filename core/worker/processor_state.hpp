// What the threads of this process have of the processor that a kernel may change and leave to others.
#pragma once

#include <sched.h>

#include <map>
#include <string>
#include <vector>

namespace benchctl {

class ProcessorState {
 public:
  /// Keeps how threads are that it has not seen yet.
  void look();
  /// Restores what changed since: affinity and nice level of each thread, rounding and denormals of the
  /// calling one. Returns a sentence about who changed it, or nothing. Threads that are new are kept.
  [[nodiscard]] std::string restore();
  /// Something could not be restored: others had better run in another process.
  [[nodiscard]] bool is_spoilt() const { return spoilt_; }

 private:
  struct Thread {
    std::vector<cpu_set_t> cpus;
    int nice = 0;
  };
  [[nodiscard]] static std::map<int, Thread> read();

  std::map<int, Thread> threads_;  ///< by their ids
  bool spoilt_ = false;
};

}  // namespace benchctl

// Compiles kernels in worker processes before anything is measured.
#pragma once

#include "worker/client.hpp"

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

struct CompileJob {
  std::string backend;
  std::vector<std::filesystem::path> libraries;  ///< libraries of the backend
  std::string architecture;
  KernelPlan plan;
};

/// What became of a job: empty reason when it compiled.
struct CompileOutcome {
  Status status = Status::ok;
  std::string reason;
  double compile_ns = 0;  ///< 0: the cache had it
  Resources resources = {};
  std::string log = {};  ///< what the compiler said, if the pool keeps logs
};

class CompilePool {
 public:
  /// Starts up to `workers` workers for each backend when its first job comes.
  CompilePool(ChannelFactory& factory, std::size_t workers, SessionOptions options, double timeout_seconds);

  /// Outcomes have the compiler's log from now on.
  void keep_logs() { keeps_logs_ = true; }

  /// Jobs of one key are the same code.
  [[nodiscard]] static std::string key_of(const CompileJob& job);
  /// Compiles all jobs, several at a time, and waits. Outcomes in the order of the jobs. A plan that was
  /// compiled before by this pool is answered from memory. Once `stopped` (asked by one thread at a time)
  /// says so, no further job is begun; those that were not have no outcome.
  [[nodiscard]] std::vector<std::optional<CompileOutcome>> compile(const std::vector<CompileJob>& jobs,
                                                                   const std::function<bool()>& stopped);

 private:
  struct Task {
    const CompileJob* job = nullptr;
    std::optional<CompileOutcome> outcome = {};
  };

  /// Several at a time, as long as `keep_going` says so.
  void work_on(std::vector<Task>& tasks, const std::function<bool()>& keep_going);
  /// No outcome: `keep_going` was against trying another worker.
  std::optional<CompileOutcome> run(Client& client, const CompileJob& job,
                                    const std::function<bool()>& keep_going);

  ChannelFactory& factory_;
  std::size_t workers_;
  SessionOptions options_;
  double timeout_seconds_;
  bool keeps_logs_ = false;
  std::mutex starting_;                                ///< one worker at a time
  std::map<std::string, std::deque<Client>> clients_;  ///< by backend
  std::map<std::string, CompileOutcome> done_;
};

}  // namespace benchctl

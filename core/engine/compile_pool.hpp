// Compiles kernels in worker processes before anything is measured.
#pragma once

#include "engine/channel.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

struct CompileJob {
  std::string backend;
  std::string architecture;
  KernelPlan plan;
};

/// What became of a job: empty reason when it compiled.
struct CompileOutcome {
  Status status = Status::ok;
  std::string reason;
};

class CompilePool {
 public:
  /// Starts `workers` channels when the first job comes.
  CompilePool(ChannelFactory& factory, std::size_t workers, SessionOptions options, double timeout_seconds);

  /// Compiles all jobs, several at a time, and waits. Outcomes in the order of the jobs. A plan that was
  /// compiled before by this pool is answered from memory. Once `stopped` (asked by one thread at a time)
  /// says so, no further job is begun; those that were not have no outcome.
  [[nodiscard]] std::vector<std::optional<CompileOutcome>> compile(const std::vector<CompileJob>& jobs,
                                                                   const std::function<bool()>& stopped);

 private:
  /// Lets go of the channel when its worker is lost.
  CompileOutcome run(std::unique_ptr<Channel>& channel, const nlohmann::json& job) const;

  ChannelFactory& factory_;
  std::size_t workers_;
  SessionOptions options_;
  double timeout_seconds_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::map<std::string, CompileOutcome> done_;
};

/// The status that a plugin's failure gives to a point.
[[nodiscard]] Status status_of(const Failure& failure);

}  // namespace benchctl

// The coordinator's hold on the worker of one lane: started when needed, replaced when lost.
#pragma once

#include "engine/channel.hpp"
#include "engine/replies.hpp"
#include "model/point.hpp"
#include "sweep/catalogue.hpp"
#include "workloads/workload.hpp"

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

namespace benchctl {

/// Extra seconds for a verb, so that the watchdog spares long samples.
[[nodiscard]] constexpr double watchdog_seconds(double expected_seconds) { return 10 * expected_seconds; }

inline constexpr double infinite_seconds = std::numeric_limits<double>::infinity();

/// A problem whose buffers a worker is to make.
struct ProblemSetup {
  std::uint64_t id = 0;
  const Point& point;
  std::vector<std::uint64_t> seeds;  ///< the sets take the draws of inputs in turn
  std::uint32_t sets = 1;
  bool spare = false;                                  ///< one set more, for audits
  std::vector<std::filesystem::path> references = {};  ///< a file for each draw
};

/// A variant that a worker is to make ready.
struct VariantSetup {
  std::uint64_t id = 0;
  std::uint64_t problem = 0;
  std::string variant;
  Parameters tunables;
  std::vector<Configuration> configurations;  ///< what a choice is to try
  std::string label;                          ///< for profilers
};

class LaneWorker {
 public:
  LaneWorker(const Lane& lane, const BackendEntry& backend, const Workloads& workloads,
             ChannelFactory& factory, SessionOptions options, double timeout_seconds);

  [[nodiscard]] const Lane& lane() const { return lane_; }
  /// Rises with each new worker: it does not know what an older one was told.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] bool running() const { return channel_ != nullptr && !spoilt_; }
  /// Has it made more than one kernel ready?
  [[nodiscard]] bool is_shared() const { return prepared_ > 1; }
  /// Starts, opens and defines if there is no worker, or one that a kernel has spoilt. Throws like call.
  void ensure_open();
  /// Carries out a verb in the open worker. `extra_seconds` is added to the watchdog's time; `most_seconds`
  /// is what a budget leaves for it. Throws Failure or WorkerLost; after WorkerLost or a sticky Failure
  /// there is no worker any more.
  nlohmann::json call(Verb verb, const nlohmann::json& arguments, double extra_seconds = 0,
                      double most_seconds = infinite_seconds);
  /// The same, and gives what `read` makes of the reply. A worker whose reply `read` cannot make sense of
  /// is let go of, too: WorkerLost.
  template <class Read>
  auto ask(Verb verb, const nlohmann::json& arguments, Read read, double extra_seconds = 0,
           double most_seconds = infinite_seconds) {
    const nlohmann::json reply = call(verb, arguments, extra_seconds, most_seconds);
    try {
      return read(reply);
    } catch (const nlohmann::json::exception& error) {
      malformed_reply(verb, error.what());
    } catch (const std::invalid_argument& error) {
      malformed_reply(verb, error.what());
    }
  }
  // The verbs that several speak. They throw as `call` does.

  /// The bytes that the problem takes on the device.
  std::uint64_t set_up(const ProblemSetup& problem);
  PrepareReply prepare(const VariantSetup& request, double extra_seconds = 0,
                       double most_seconds = infinite_seconds);
  /// `execute`: once on each of `sets` sets of poisoned outputs; else what the latest samples left is
  /// judged. `dump`: a folder for what was read and written; empty: none.
  CheckReply check(std::uint64_t prepared, bool execute, std::uint32_t sets,
                   const std::filesystem::path& dump = {});
  /// `counts`: a time of 0 is a fault.
  SampleReply sample(std::uint64_t prepared, const SampleRequest& request,
                     const std::vector<std::string>& observe, bool discard_first, bool counts,
                     double extra_seconds = 0);

  /// What is left of a budget, asked before each verb: one that takes longer loses its worker, and
  /// WorkerLost has the status not_run.
  void set_most_seconds(std::function<double()> seconds) { most_seconds_ = std::move(seconds); }
  /// Lets go of the worker.
  void reset() { channel_.reset(); }

 private:
  [[noreturn]] void malformed_reply(Verb verb, const std::string& why);

  const Lane& lane_;
  const BackendEntry& backend_;
  const Workloads& workloads_;
  ChannelFactory& factory_;
  SessionOptions options_;
  double timeout_seconds_;
  std::function<double()> most_seconds_;
  std::unique_ptr<Channel> channel_;
  std::uint64_t generation_ = 0;
  std::uint64_t prepared_ = 0;  ///< kernels in the current worker
  bool spoilt_ = false;         ///< it says that others had better run in another process
};

}  // namespace benchctl

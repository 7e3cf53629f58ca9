// The client of one lane's worker, whose device is open.
#pragma once

#include "model/point.hpp"
#include "sweep/catalogue.hpp"
#include "worker/buffers.hpp"
#include "worker/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

namespace benchctl {

/// Extra seconds for a verb, so that the watchdog spares long samples.
[[nodiscard]] constexpr double watchdog_seconds(double expected_seconds) { return 10 * expected_seconds; }

inline constexpr double infinite_seconds = std::numeric_limits<double>::infinity();

class LaneWorker {
 public:
  LaneWorker(const Lane& lane, const BackendEntry& backend, ChannelFactory& factory, SessionOptions options,
             double timeout_seconds)
      : lane_(lane),
        timeout_seconds_(timeout_seconds),
        client_(factory, backend.libraries, [this, how = std::move(options)] {
          prepared_ = 0;
          ask(verbs::Open{lane_.backend, lane_.device, how});
        }) {}

  [[nodiscard]] const Lane& lane() const { return lane_; }
  [[nodiscard]] std::uint64_t generation() const { return client_.generation(); }
  [[nodiscard]] bool running() const { return client_.running(); }
  /// Has it made more than one kernel ready?
  [[nodiscard]] bool is_shared() const { return prepared_ > 1; }
  /// Starts and opens if there is no worker, or one that a kernel has spoilt. Throws like ask.
  void ensure_open() { client_.start(); }
  /// `extra_seconds` is added to the watchdog's time; `most_seconds` is what a budget leaves for it. Throws
  /// as Client::ask does.
  template <class Request>
  typename Request::Reply ask(const Request& request, double extra_seconds = 0,
                              double most_seconds = infinite_seconds) {
    const double most = std::min(most_seconds, most_seconds_ ? most_seconds_() : infinite_seconds);
    const double own = timeout_seconds_ + extra_seconds;
    try {
      auto reply = client_.ask(request, std::min(own, most));
      if (std::is_same_v<Request, verbs::Prepare>) ++prepared_;
      return reply;
    } catch (const WorkerLost& lost) {
      if (lost.status() != Status::timeout || own <= most) throw;
      throw WorkerLost(
          Status::not_run,
          fmt::format("'{}' did not end within the run's budget; allow more time", Request::verb));
    }
  }
  /// The same for samples. Where they `count`, the device's clock must have moved: else a Failure.
  SampleReply sample(const verbs::Sample& request, bool counts, double extra_seconds = 0) {
    SampleReply reply = ask(request, extra_seconds);
    if (counts) refuse_stopped_clock(reply.block);
    return reply;
  }
  /// Lets go of a problem and what was prepared for it, or of a worker that does not answer.
  void drop(std::uint64_t problem) {
    try {
      if (running()) ask(verbs::Drop{problem});
    } catch (const std::exception&) {
      reset();
    }
  }
  /// What is left of a budget, asked before each verb: one that takes longer loses its worker, and
  /// WorkerLost has the status not_run.
  void set_most_seconds(std::function<double()> seconds) { most_seconds_ = std::move(seconds); }
  /// Lets go of the worker.
  void reset() { client_.reset(); }

 private:
  const Lane& lane_;
  double timeout_seconds_;
  std::function<double()> most_seconds_;
  std::uint64_t prepared_ = 0;  ///< kernels in the current worker
  Client client_;
};

/// A problem in a lane's worker, for those who measure nothing in turns. It is dropped at the end.
class LaneProblem {
 public:
  /// Throws like LaneWorker::ask, as all of it does.
  LaneProblem(LaneWorker& worker, ProblemSpec spec, const verbs::Problem& request)
      : worker_(worker), spec_(std::move(spec)), id_(request.id) {
    worker_.ask(request);
  }
  LaneProblem(const LaneProblem&) = delete;
  LaneProblem& operator=(const LaneProblem&) = delete;
  ~LaneProblem() { worker_.drop(id_); }

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  PrepareReply prepare(std::uint64_t id, const VariantInfo& variant, std::vector<Candidate> candidates,
                       std::string label) {
    return worker_.ask(verbs::Prepare{id, id_, declared_precision(variant, spec_), std::move(candidates),
                                      std::move(label)});
  }

 private:
  LaneWorker& worker_;
  ProblemSpec spec_;
  std::uint64_t id_;
};

}  // namespace benchctl

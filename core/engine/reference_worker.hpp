// The worker process that computes references: it has no device, and one serves a whole run.
#pragma once

#include "engine/channel.hpp"
#include "model/point.hpp"
#include "workloads/workload.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace benchctl {

class ReferenceWorker {
 public:
  /// `interrupted`: no other worker is started any more.
  ReferenceWorker(ChannelFactory& factory, const Workloads& workloads, double timeout_seconds,
                  std::function<bool()> interrupted)
      : factory_(factory),
        workloads_(workloads),
        timeout_seconds_(timeout_seconds),
        interrupted_(std::move(interrupted)) {}

  /// Writes the reference of the point's problem to `file`, and returns the seconds that computing it took.
  /// A process that dies is replaced. Throws Failure, WorkerLost.
  double compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file);
  /// Begins to compute it beside other work, into `file`. compute() of the same problem and seed takes it
  /// from there.
  void begin(const Point& point, std::uint64_t seed, const std::filesystem::path& file);

 private:
  struct Begun {
    std::string problem;  ///< as text, to find it by
    std::filesystem::path file;
    std::future<double> seconds;
  };

  void start();
  /// Returns the seconds that it took.
  double ask(const nlohmann::json& problem, const std::filesystem::path& file);

  ChannelFactory& factory_;
  const Workloads& workloads_;
  double timeout_seconds_;
  std::function<bool()> interrupted_;
  std::mutex asking_;  ///< one reference at a time
  std::unique_ptr<Channel> channel_;
  std::list<Begun> begun_;  ///< the last member: its threads use the others
};

}  // namespace benchctl

// References: computed by a worker of their own or left by a kernel that the config trusts, kept in files
// that every worker of a run reads.
#pragma once

#include "model/keys.hpp"
#include "model/point.hpp"
#include "sweep/lanes.hpp"
#include "worker/lane_worker.hpp"
#include "workloads/workload.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace benchctl {

/// The worker process that computes references: it has no device, and one serves a whole run.
class ReferenceWorker {
 public:
  /// `interrupted`: no other worker is started any more.
  ReferenceWorker(ChannelFactory& factory, const Workloads& workloads, double timeout_seconds,
                  std::function<bool()> interrupted)
      : workloads_(workloads),
        timeout_seconds_(timeout_seconds),
        interrupted_(std::move(interrupted)),
        client_(factory, {}) {}

  /// Writes the reference of the point's problem to `file`, and returns the seconds that computing it took.
  /// A process that dies is replaced. Throws Failure, WorkerLost.
  double compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file);
  /// Begins to compute it beside other work, into `file`. compute() of the same problem and seed takes it
  /// from there.
  void begin(const Point& point, std::uint64_t seed, const std::filesystem::path& file);

 private:
  struct Begun {
    InputsKey inputs;
    std::filesystem::path file;
    std::future<double> seconds;
  };

  [[nodiscard]] verbs::Reference request(const Point& point, std::uint64_t seed,
                                         const std::filesystem::path& file) const;
  [[nodiscard]] InputsKey inputs(const Point& point, std::uint64_t seed) const;
  /// Returns the seconds that it took.
  double ask(const verbs::Reference& wanted);

  const Workloads& workloads_;
  double timeout_seconds_;
  std::function<bool()> interrupted_;
  std::mutex asking_;  ///< one reference at a time
  Client client_;
  std::list<Begun> begun_;  ///< the last member: its threads use the others
};

/// References of workloads that cannot compute their own: the outputs of a kernel that the config trusts.
class TrustedKernels {
 public:
  /// `interrupted`: no other worker is started any more.
  TrustedKernels(const Catalogue& catalogue, const Workloads& workloads, const LaneTable& lanes,
                 ChannelFactory& factory, SessionOptions options, double timeout_seconds,
                 std::function<bool()> interrupted)
      : catalogue_(catalogue),
        workloads_(workloads),
        lanes_(lanes),
        factory_(factory),
        options_(std::move(options)),
        timeout_seconds_(timeout_seconds),
        interrupted_(std::move(interrupted)) {}

  /// Runs the trusted kernel of the point's workload once, with its tunables' defaults but the point's own
  /// size_tunables(), and writes what it left into a reference file. On the point's own lane where its
  /// backend has the kernel, otherwise on the first lane that has. A process that dies is replaced. Throws
  /// Failure, WorkerLost, or std::runtime_error when no lane has it.
  void make_reference(const Point& point, std::uint64_t seed, const std::filesystem::path& file);

 private:
  struct Found {
    const Lane* lane = nullptr;
    const BackendEntry* backend = nullptr;
    const VariantInfo* variant = nullptr;
  };
  [[nodiscard]] Found find(const Point& point) const;

  const Catalogue& catalogue_;
  const Workloads& workloads_;
  const LaneTable& lanes_;
  ChannelFactory& factory_;
  SessionOptions options_;
  double timeout_seconds_;
  std::function<bool()> interrupted_;
  /// By lane. Processes of their own: a measured kernel cannot touch the trusted one.
  std::map<std::string, std::unique_ptr<LaneWorker>> workers_;
};

}  // namespace benchctl

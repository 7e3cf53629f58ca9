// References of workloads that cannot compute their own: the outputs of a kernel that the config trusts.
#pragma once

#include "engine/lane_worker.hpp"
#include "sweep/lanes.hpp"

#include <map>
#include <memory>

namespace benchctl {

class TrustedKernels {
 public:
  TrustedKernels(const Catalogue& catalogue, const Workloads& workloads, const LaneTable& lanes,
                 ChannelFactory& factory, SessionOptions options, double timeout_seconds)
      : catalogue_(catalogue),
        workloads_(workloads),
        lanes_(lanes),
        factory_(factory),
        options_(std::move(options)),
        timeout_seconds_(timeout_seconds) {}

  /// Runs the trusted kernel of the point's workload once, with its tunables' defaults, and writes what it
  /// left into a reference file. On the point's own lane where its backend has the kernel, otherwise on the
  /// first lane that has. Throws Failure, WorkerLost, or std::runtime_error when no lane has it.
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
  /// By lane. Processes of their own: a measured kernel cannot touch the trusted one.
  std::map<std::string, std::unique_ptr<LaneWorker>> workers_;
};

}  // namespace benchctl

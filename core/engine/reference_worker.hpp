// The worker process that computes references: it has no device, and one serves a whole run.
#pragma once

#include "engine/channel.hpp"
#include "model/point.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

namespace benchctl {

/// How many workers may die in turn over a piece of work that no single point stands for, before it is
/// given up: what kills them from outside (someone, the kernel when memory runs out) is no fault of the
/// work.
inline constexpr int most_starts = 4;

class ReferenceWorker {
 public:
  /// `interrupted`: no other worker is started any more.
  ReferenceWorker(ChannelFactory& factory, double timeout_seconds, std::function<bool()> interrupted)
      : factory_(factory), timeout_seconds_(timeout_seconds), interrupted_(std::move(interrupted)) {}

  /// Starts the process; otherwise it is started by the first reference. Throws Failure, WorkerLost.
  void start();
  /// Writes the reference of the point's problem to `file`. A process that dies is replaced. Throws
  /// Failure, WorkerLost.
  void compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file);

 private:
  ChannelFactory& factory_;
  double timeout_seconds_;
  std::function<bool()> interrupted_;
  std::unique_ptr<Channel> channel_;
};

}  // namespace benchctl

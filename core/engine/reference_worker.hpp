// The worker process that computes references: it has no device, and one serves a whole run.
#pragma once

#include "engine/channel.hpp"
#include "model/point.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

namespace benchctl {

class ReferenceWorker {
 public:
  /// `interrupted`: no other worker is started any more.
  ReferenceWorker(ChannelFactory& factory, double timeout_seconds, std::function<bool()> interrupted)
      : factory_(factory), timeout_seconds_(timeout_seconds), interrupted_(std::move(interrupted)) {}

  /// Writes the reference of the point's problem to `file`. A process that dies is replaced. Throws
  /// Failure, WorkerLost.
  void compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file);

 private:
  void start();

  ChannelFactory& factory_;
  double timeout_seconds_;
  std::function<bool()> interrupted_;
  std::unique_ptr<Channel> channel_;
};

}  // namespace benchctl

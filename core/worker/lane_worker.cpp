#include "worker/lane_worker.hpp"

#include <fmt/format.h>

namespace benchctl {

LaneWorker::LaneWorker(const Lane& lane, const BackendEntry& backend, ChannelFactory& factory,
                       SessionOptions options, double timeout_seconds)
    : lane_(lane),
      timeout_seconds_(timeout_seconds),
      client_(factory, backend.libraries, [this, how = std::move(options)] {
        prepared_ = 0;
        ask(verbs::Open{lane_.backend, lane_.device, how});
      }) {}

void LaneWorker::end_budget(Verb verb) {
  throw WorkerLost(Status::not_run,
                   fmt::format("'{}' did not end within the run's budget; allow more time", verb));
}

}  // namespace benchctl

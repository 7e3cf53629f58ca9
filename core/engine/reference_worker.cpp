#include "engine/reference_worker.hpp"

#include "engine/worker_session.hpp"
#include "model/json.hpp"

#include <chrono>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

void ReferenceWorker::start() {
  channel_ = factory_.start({});
  channel_->call(Verb::define, {{"variants", json::array()}, {"workloads", declared_workloads()}},
                 std::chrono::duration<double>(timeout_seconds_));
}

void ReferenceWorker::compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  for (int starts_left = most_starts;; --starts_left) {
    try {
      if (channel_ == nullptr) start();
      channel_->call(Verb::reference,
                     {{"workload", point.workload},
                      {"parameters", to_json(point.problem)},
                      {"layout", point.layout},
                      {"seed", seed},
                      {"file", file.string()}},
                     std::chrono::duration<double>(10 * timeout_seconds_));
      return;
    } catch (const WorkerLost& lost) {
      channel_.reset();
      if (lost.status() != Status::crashed || starts_left == 1 || interrupted_()) throw;
    }
  }
}

}  // namespace benchctl

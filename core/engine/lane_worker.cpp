#include "engine/lane_worker.hpp"

#include "model/json.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

LaneWorker::LaneWorker(const Lane& lane, const BackendEntry& backend, const Workloads& workloads,
                       ChannelFactory& factory, SessionOptions options, double timeout_seconds)
    : lane_(lane),
      backend_(backend),
      workloads_(workloads),
      factory_(factory),
      options_(std::move(options)),
      timeout_seconds_(timeout_seconds) {}

void LaneWorker::ensure_open() {
  if (running()) return;
  channel_.reset();
  spoilt_ = false;
  prepared_ = 0;
  channel_ = factory_.start(backend_.libraries);
  ++generation_;
  try {
    call(Verb::open, {{"backend", lane_.backend},
                      {"device", to_json(lane_.device)},
                      {"device_values", to_json(device_values(lane_.device))},
                      {"cache_dir", options_.cache_dir},
                      {"device_debug", options_.device_debug}});
    json variants = json::array();
    for (const VariantInfo& variant : backend_.variants) {
      variants.push_back(
          {{"variant", to_json(variant)}, {"kernel_directory", backend_.folder_of(variant).string()}});
    }
    call(Verb::define, {{"variants", std::move(variants)}, {"workloads", workloads_.definitions()}});
  } catch (...) {
    channel_.reset();
    throw;
  }
}

json LaneWorker::call(Verb verb, const json& arguments, double extra_seconds, double most_seconds) {
  const double most = std::min(most_seconds, most_seconds_ ? most_seconds_() : infinite_seconds);
  const double own = timeout_seconds_ + extra_seconds;
  try {
    json answer = channel_->call(verb, arguments, std::chrono::duration<double>(std::min(own, most)));
    spoilt_ = spoilt_ || answer.contains("spoilt");
    if (verb == Verb::prepare) ++prepared_;
    return answer;
  } catch (const Failure& failure) {
    if (failure.sticky()) channel_.reset();
    throw;
  } catch (const WorkerLost& lost) {
    channel_.reset();
    if (lost.status() != Status::timeout || own <= most) throw;
    throw WorkerLost(
        Status::not_run,
        fmt::format("'{}' did not end within the run's budget; allow more time", to_string(verb)));
  }
}

void LaneWorker::malformed_reply(Verb verb, const std::string& why) {
  channel_.reset();
  throw WorkerLost(Status::crashed,
                   fmt::format("malformed reply from the worker to '{}': {}", to_string(verb), why));
}

}  // namespace benchctl

#include "engine/lane_worker.hpp"

#include "model/json.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

LaneWorker::LaneWorker(const Lane& lane, const BackendEntry& backend, ChannelFactory& factory,
                       SessionOptions options, double timeout_seconds)
    : lane_(lane),
      backend_(backend),
      factory_(factory),
      options_(std::move(options)),
      timeout_seconds_(timeout_seconds) {}

void LaneWorker::ensure_open() {
  if (channel_ != nullptr) return;
  channel_ = factory_.start(backend_.libraries);
  ++generation_;
  try {
    json request = {{"backend", lane_.backend},
                    {"device", to_json(lane_.device)},
                    {"device_values", to_json(device_values(lane_.device))},
                    {"cache_dir", options_.cache_dir},
                    {"device_debug", options_.device_debug}};
    if (!place_.cores.empty()) request["cores"] = place_.cores;
    if (place_.memory_node) request["memory_node"] = *place_.memory_node;
    const json answer = call(Verb::open, request);
    if (answer.contains("not_bound") && answer.at("not_bound").is_string())
      place_.doubt = answer.at("not_bound").get<std::string>();
    json variants = json::array();
    for (const VariantInfo& variant : backend_.variants) {
      variants.push_back(
          {{"variant", to_json(variant)}, {"kernel_directory", backend_.folder_of(variant).string()}});
    }
    call(Verb::define, {{"variants", std::move(variants)}, {"workloads", declared_workloads()}});
  } catch (...) {
    channel_.reset();
    throw;
  }
}

json LaneWorker::call(Verb verb, const json& arguments, double extra_seconds) {
  try {
    const std::chrono::duration<double> timeout(timeout_seconds_ + extra_seconds);
    const auto answer = [&] { return channel_->call(verb, arguments, timeout); };
    return baton_ != nullptr ? baton_->lend(answer) : answer();
  } catch (const Failure& failure) {
    if (failure.sticky()) channel_.reset();
    throw;
  } catch (const WorkerLost&) {
    channel_.reset();
    throw;
  }
}

void LaneWorker::misunderstood(Verb verb, const std::string& why) {
  channel_.reset();
  throw WorkerLost(Status::crashed,
                   fmt::format("the worker answered '{}' with something else: {}", to_string(verb), why));
}

}  // namespace benchctl

#include "engine/lane_worker.hpp"

#include "model/json.hpp"
#include "model/json_words.hpp"
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

std::uint64_t LaneWorker::set_up(const ProblemSetup& problem) {
  const Parameters values = problem_values(*workloads_.find(problem.point.workload), problem.point);
  return ask(Verb::problem,
             {{"id", problem.id},
              {"workload", problem.point.workload},
              {"parameters", to_json(values)},
              {"layout", problem.point.layout},
              {"seeds", problem.seeds},
              {"sets", problem.sets},
              {"spare", problem.spare},
              {"references", problem.references}},
             [](const json& reply) { return integer_from<std::uint64_t>(reply.at("bytes")); });
}

PrepareReply LaneWorker::prepare(const VariantSetup& request, double extra_seconds, double most_seconds) {
  json configurations = json::array();
  for (const Configuration& one : request.configurations)
    configurations.push_back({{"variant", one.variant}, {"tunables", to_json(one.tunables)}});
  return ask(Verb::prepare,
             {{"id", request.id},
              {"problem", request.problem},
              {"variant", request.variant},
              {"tunables", to_json(request.tunables)},
              {"configurations", std::move(configurations)},
              {"label", request.label}},
             prepare_reply, extra_seconds, most_seconds);
}

CheckReply LaneWorker::check(std::uint64_t prepared, bool execute, std::uint32_t sets,
                             const std::filesystem::path& dump) {
  json arguments = {{"prepared", prepared}, {"execute", execute}, {"sets", sets}};
  if (!dump.empty()) arguments["dump"] = dump.string();
  return ask(Verb::check, arguments, check_reply);
}

SampleReply LaneWorker::sample(std::uint64_t prepared, const SampleRequest& request,
                               const std::vector<std::string>& observe, bool discard_first, bool counts,
                               double extra_seconds) {
  return ask(
      Verb::sample,
      {{"prepared", prepared},
       {"request", to_json(request)},
       {"observe", observe},
       {"discard_first", discard_first}},
      [&](const json& reply) { return sample_reply(reply, request.count, counts); }, extra_seconds);
}

void LaneWorker::malformed_reply(Verb verb, const std::string& why) {
  channel_.reset();
  throw WorkerLost(Status::crashed,
                   fmt::format("malformed reply from the worker to '{}': {}", to_string(verb), why));
}

}  // namespace benchctl

#include "worker/messages.hpp"

#include "model/json.hpp"
#include "model/json_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace benchctl {

using nlohmann::json;

BENCHCTL_JSON_RECORD(SampleRequest, cache, launch, basis, batch, count, sets, set)
BENCHCTL_JSON_RECORD(SampleBlock, ns, batch, gated, readings, note)
BENCHCTL_JSON_RECORD(Verification, ok, reason, error_norm, tolerance_norm, worst_error, worst_tolerance,
                     worst_element, checked, not_a_number, guard_bytes_changed)
BENCHCTL_JSON_RECORD(SessionOptions, cache_dir, device_debug)
BENCHCTL_JSON_RECORD(DeviceList, devices, unavailable)
BENCHCTL_JSON_RECORD(Observed, absent, redo)
BENCHCTL_JSON_RECORD(AuditedExecution, kind, ns, held_up, left_out_ns, waited_ns)
BENCHCTL_JSON_RECORD(HostTimes, claimed_ns, left_out_ns, waited_ns, unwaited_ns, read_ns)
BENCHCTL_JSON_RECORD(Candidate, variant, tunables, plan)

BENCHCTL_JSON_RECORD(PluginInfo, name, title, version, build, variables)
BENCHCTL_JSON_RECORD(ReadingInfo, id, unit, doc, kind, summary, on_request)
/// Neither the library's place nor its digest is part of it.
BENCHCTL_JSON_RECORD(PluginEntry, info, is_backend, is_observer, compiles_offline, variants, readings,
                     tables)

template <class Nothing>
requires std::is_empty_v<Nothing>
struct JsonForm<Nothing> {
  static json to(const Nothing& /*nothing*/) { return json::object(); }
  static void from(const json& object, Nothing& /*nothing*/) {
    if (!object.is_object()) throw std::invalid_argument("something else where an object must be");
  }
};

BENCHCTL_JSON_RECORD(BlasReply, build)
BENCHCTL_JSON_RECORD(ProblemReply, bytes)
BENCHCTL_JSON_RECORD(PrepareReply, resources, notes, picked)
BENCHCTL_JSON_RECORD(CheckReply, verification, run_ns, host_ns, metrics)
BENCHCTL_JSON_RECORD(SampleReply, block, observed, verification)
BENCHCTL_JSON_RECORD(AuditReply, verification, executions, host)
BENCHCTL_JSON_RECORD(PassReply, metrics, absent)
BENCHCTL_JSON_RECORD(CompileReply, resources, log, compile_ns)

BENCHCTL_JSON_RECORD(verbs::Watch, devices)
BENCHCTL_JSON_RECORD(verbs::Probe, backend)
BENCHCTL_JSON_RECORD(verbs::Open, backend, device, options)
BENCHCTL_JSON_RECORD(verbs::StatedProblem, workload, definition, parameters, layout)
BENCHCTL_JSON_RECORD(verbs::Problem, id, stated, seeds, sets, spare, references)
BENCHCTL_JSON_RECORD(verbs::Prepare, id, problem, precision, candidates, label)
BENCHCTL_JSON_RECORD(verbs::Check, prepared, execute, sets, dump)
BENCHCTL_JSON_RECORD(verbs::Sample, prepared, request, observe, discard_first)
BENCHCTL_JSON_RECORD(verbs::Audit, prepared, request, seconds, execution_ns, keep_scratch, seed, reference)
BENCHCTL_JSON_RECORD(verbs::Observe, prepared, request, observe, execution_ns)
BENCHCTL_JSON_RECORD(verbs::Drop, problem)
BENCHCTL_JSON_RECORD(verbs::Reference, stated, seed, file)
BENCHCTL_JSON_RECORD(verbs::Outputs, prepared, file)
BENCHCTL_JSON_RECORD(verbs::Compile, backend, architecture, plan, options)

template <class Message>
json encode(const Message& message) {
  return written(message);
}

template <class Message>
Message decode(const json& document) {
  return read_as<Message>(document);
}

#define BENCHCTL_MESSAGE(Message)               \
  template json encode(const Message& message); \
  template Message decode(const json& document);
NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(
    BENCHCTL_MESSAGE, verbs::Describe, verbs::Blas, verbs::Watch, verbs::Probe, verbs::Open, verbs::Problem,
    verbs::Prepare, verbs::Check, verbs::Sample, verbs::Audit, verbs::Observe, verbs::Drop,
    verbs::Reference, verbs::Outputs, verbs::Compile, Done, PluginEntry, DeviceList, BlasReply,
    ProblemReply, PrepareReply, CheckReply, SampleReply, AuditReply, PassReply, CompileReply))
#undef BENCHCTL_MESSAGE

namespace {

constexpr double shortest_time_ns = 1e-3;
constexpr std::size_t longest_id = 200;

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string valid_text(std::string text) {
  return is_ascii(text) ? std::move(text) : json::parse(one_line(json(text))).get<std::string>();
}

/// The rule of docs/plugin-guide.md: one of the name's words, which `_` separates, is `free`, another
/// `memory`. What is free at the moment would differ from run to run.
bool tells_free_memory(const std::string& property) {
  const std::string words = '_' + property + '_';
  return words.find("_free_") != std::string::npos && words.find("_memory_") != std::string::npos;
}

std::string reported(double value) { return fmt::format("the plugin said {}", value); }

/// Erases figures that are not numbers. `left_out` gets a reason for each.
void keep_numbers(Resources& figures, Notes& left_out, const std::string& prefix = {}) {
  std::erase_if(figures, [&](const auto& figure) {
    if (std::isfinite(figure.second)) return false;
    left_out[prefix + figure.first] = reported(figure.second);
    return true;
  });
}

/// Why this device cannot be requested; empty if it can.
std::string fault_of(const DeviceInfo& device, const std::vector<Lane>& others) {
  const auto odd = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  if (device.id.empty() || device.id.size() > longest_id || std::ranges::any_of(device.id, odd)) {
    return fmt::format("its id '{}' is empty, longer than {} bytes, or has spaces or control characters",
                       one_line(json(device.id.substr(0, longest_id))), longest_id);
  }
  const auto same_id = [&](const Lane& lane) { return lane.device.id == device.id; };
  if (std::ranges::any_of(others, same_id)) {
    return fmt::format("its id '{}' was already used by an earlier device", device.id);
  }
  if (!std::isfinite(device.timer_step_ns) || device.timer_step_ns < 0) {
    return fmt::format("the step of its timer is {} ns", device.timer_step_ns);
  }
  return {};
}

[[noreturn]] void refuse(const std::string& reason) { throw Failure(FailureKind::launch_error, reason); }

/// A time that an audit tells of.
void check_time(double ns) {
  if (!std::isfinite(ns) || ns < 0)
    refuse(fmt::format("an audited execution took {} ns, which is not a time", ns));
}

void check_times(const SampleBlock& block, double least_ns) {
  for (std::size_t i = 0; i < block.ns.size(); ++i) {
    const double ns = block.ns[i];
    if (std::isfinite(ns) && ns >= least_ns) continue;
    refuse(fmt::format("sample {} of {} is {} ns{}", i + 1, block.ns.size(), ns,
                       std::isfinite(ns) && ns >= 0
                           ? ": the device's clock did not move; more executions in a sample may help"
                           : ", which is not a time"));
  }
}

}  // namespace

verbs::StatedProblem state(const Point& point, const Workload& workload) {
  return {point.workload, workload.definition(), problem_values(workload, point), point.layout};
}

void accept(const verbs::Prepare& /*request*/, PrepareReply& reply) {
  keep_numbers(reply.resources, reply.notes, "not_observed.");
}

void accept(const verbs::Check& /*request*/, CheckReply& reply) {
  if (!std::isfinite(reply.run_ns) || reply.run_ns < 0) reply.run_ns = 0;
  keep_numbers(reply.metrics, reply.notes, "not_observed.");
}

void accept(const verbs::Sample& request, SampleReply& reply) {
  const SampleBlock& block = reply.block;
  const std::uint32_t count = request.request.count;
  if (block.ns.empty()) refuse("the plugin returned no sample");
  if (block.ns.size() > count) {
    refuse(fmt::format("the plugin returned {} samples instead of {}", block.ns.size(), count));
  }
  if (block.batch == 0) refuse("the plugin says that its samples hold no execution");
  check_times(block, 0);
  std::erase_if(reply.block.readings, [&](const auto& reading) {
    const auto odd =
        std::ranges::find_if(reading.second, [](double value) { return !std::isfinite(value); });
    if (odd == reading.second.end()) return false;
    reply.observed.absent[reading.first] = reported(*odd);
    return true;
  });
}

void refuse_stopped_clock(const SampleBlock& block) { check_times(block, shortest_time_ns / block.batch); }

void accept(const verbs::Audit& /*request*/, AuditReply& reply) {
  for (const AuditedExecution& execution : reply.executions) {
    for (const double ns : {execution.ns, execution.left_out_ns, execution.waited_ns}) check_time(ns);
  }
  if (!reply.host) return;
  for (const double ns : {reply.host->claimed_ns, reply.host->waited_ns, reply.host->read_ns})
    check_time(ns);
  for (double* const ns : {&reply.host->left_out_ns, &reply.host->unwaited_ns}) {
    if (!std::isfinite(*ns)) *ns = 0;
  }
}

void accept(const verbs::Observe& /*request*/, PassReply& reply) {
  keep_numbers(reply.metrics, reply.absent);
}

void accept(const verbs::Compile& /*request*/, CompileReply& reply) {
  std::erase_if(reply.resources, [](const auto& figure) { return !std::isfinite(figure.second); });
  if (!std::isfinite(reply.compile_ns) || reply.compile_ns < 0) reply.compile_ns = 0;
}

BackendLanes lanes_of(const std::string& backend, DeviceList list) {
  BackendLanes lanes;
  lanes.backend = backend;
  lanes.unavailable = std::move(list.unavailable);
  for (DeviceInfo& device : list.devices) {
    std::erase_if(device.properties,
                  [](const auto& property) { return tells_free_memory(property.first); });
    if (const std::string fault = fault_of(device, lanes.lanes); !fault.empty()) {
      lanes.remarks.push_back(
          fmt::format("device '{}' of '{}' is left out: {}", device.name, backend, fault));
    } else {
      lanes.lanes.push_back({backend, std::move(device)});
    }
  }
  if (lanes.lanes.empty() && lanes.unavailable.empty()) {
    lanes.unavailable = lanes.remarks.empty() ? "it found no device" : lanes.remarks.front();
  }
  return lanes;
}

json with_valid_text(json document) {
  if (document.is_string()) return valid_text(std::move(document.get_ref<std::string&>()));
  if (!document.is_structured()) return document;
  for (json& item : document) item = with_valid_text(std::move(item));
  if (!document.is_object()) return document;
  auto& members = document.get_ref<json::object_t&>();
  if (std::ranges::all_of(members, [](const auto& member) { return is_ascii(member.first); }))
    return document;
  json valid = json::object();
  for (auto& [key, value] : members) valid[valid_text(key)] = std::move(value);
  return valid;
}

}  // namespace benchctl

#include "engine/replies.hpp"

#include "model/json.hpp"
#include "model/json_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

namespace {

constexpr double shortest_time_ns = 1e-3;
constexpr std::size_t longest_id = 200;

std::string valid_text(const std::string& text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, is_ascii)) return text;
  return json::parse(one_line(json(text))).get<std::string>();
}

/// The rule of docs/plugin-guide.md: one of the name's words, which `_` separates, is `free`, another
/// `memory`. What is free at the moment would differ from run to run.
bool tells_free_memory(const std::string& property) {
  const std::string words = '_' + property + '_';
  return words.find("_free_") != std::string::npos && words.find("_memory_") != std::string::npos;
}

std::string reported(double value) { return fmt::format("the plugin said {}", value); }

/// The figures that are numbers. `left_out` gets a reason for each of the others.
template <class LeaveOut>
Resources figures(const json& object, LeaveOut left_out) {
  Resources numbers;
  for (const auto& [id, value] : object.items()) {
    const auto number = value.template get<double>();
    if (std::isfinite(number)) {
      numbers[id] = number;
    } else {
      left_out(id, reported(number));
    }
  }
  return numbers;
}

Resources figures_with_notes(const json& object, Notes& notes) {
  return figures(object,
                 [&](const std::string& id, const std::string& why) { notes["not_observed." + id] = why; });
}

Notes texts(const json& object) {
  Notes notes;
  for (const auto& [key, text] : object.items()) notes[key] = text.get<std::string>();
  return notes;
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

void check_times(const SampleBlock& block, std::uint32_t count, bool counts) {
  const auto fail = [](const std::string& reason) { throw Failure(FailureKind::launch_error, reason); };
  if (block.ns.empty()) fail("the plugin returned no sample");
  if (block.ns.size() > count) {
    fail(fmt::format("the plugin returned {} samples instead of {}", block.ns.size(), count));
  }
  if (block.batch == 0) fail("the plugin says that its samples hold no execution");
  for (std::size_t i = 0; i < block.ns.size(); ++i) {
    const double ns = block.ns[i];
    if (std::isfinite(ns) && ns >= (counts ? shortest_time_ns / block.batch : 0)) continue;
    fail(fmt::format("sample {} of {} is {} ns{}", i + 1, block.ns.size(), ns,
                     std::isfinite(ns) && ns >= 0
                         ? ": the device's clock did not move; more executions in a sample may help"
                         : ", which is not a time"));
  }
}

}  // namespace

json with_valid_text(json document) {
  if (document.is_string()) return valid_text(document.get<std::string>());
  if (document.is_array()) {
    for (json& item : document) item = with_valid_text(std::move(item));
  } else if (document.is_object()) {
    json object = json::object();
    for (auto& [key, value] : document.items()) object[valid_text(key)] = with_valid_text(std::move(value));
    return object;
  }
  return document;
}

BackendLanes probe_reply(const std::string& backend, const json& reply) {
  BackendLanes lanes;
  lanes.backend = backend;
  reply.at("unavailable").get_to(lanes.unavailable);
  for (const json& entry : reply.at("devices")) {
    DeviceInfo device = device_from_json(entry);
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

PrepareReply prepare_reply(const json& reply) {
  PrepareReply result;
  result.notes = texts(reply.at("notes"));
  result.resources = figures_with_notes(reply.at("resources"), result.notes);
  result.picked = reply.at("picked").get<std::size_t>();
  return result;
}

CheckReply check_reply(const json& reply) {
  CheckReply result;
  result.verification = verification_from_json(reply.at("verification"));
  const auto run_ns = reply.at("run_ns").get<double>();
  result.run_ns = std::isfinite(run_ns) && run_ns >= 0 ? run_ns : 0;
  reply.at("host_ns").get_to(result.host_ns);
  result.metrics = figures_with_notes(reply.at("metrics"), result.notes);
  return result;
}

SampleReply sample_reply(const json& reply, std::uint32_t count, bool counts) {
  SampleReply result;
  result.block = sample_block_from_json(reply);
  result.observed.absent = texts(reply.at("absent"));
  reply.at("redo").get_to(result.observed.redo);
  if (reply.contains("verification")) {
    result.verification = verification_from_json(reply.at("verification"));
  }
  check_times(result.block, count, counts);
  std::erase_if(result.block.readings, [&](const auto& reading) {
    for (const double value : reading.second) {
      if (std::isfinite(value)) continue;
      result.observed.absent[reading.first] = reported(value);
      return true;
    }
    return false;
  });
  return result;
}

AuditReply audit_reply(const json& reply) {
  const auto time_of = [](const json& value) {
    const auto ns = value.get<double>();
    if (std::isfinite(ns) && ns >= 0) return ns;
    throw Failure(FailureKind::launch_error,
                  fmt::format("an audited execution took {} ns, which is not a time", ns));
  };
  AuditReply result;
  result.verification = verification_from_json(reply.at("verification"));
  for (const json& execution : reply.at("executions")) {
    const auto kind = enum_from<AuditKind>(execution.at("kind"));
    result.executions.push_back({kind, time_of(execution.at("ns")), execution.at("held_up").get<bool>()});
  }
  const json& host = reply.at("host");
  if (host.is_null()) return result;
  const auto left_out_ns = host.at("left_out_ns").get<double>();
  result.host = {time_of(host.at("claimed_ns")), std::isfinite(left_out_ns) ? left_out_ns : 0,
                 time_of(host.at("waited_ns")), time_of(host.at("read_ns"))};
  return result;
}

PassReply pass_reply(const json& reply) {
  PassReply result;
  result.absent = texts(reply.at("absent"));
  result.metrics = figures(reply.at("metrics"),
                           [&](const std::string& id, const std::string& why) { result.absent[id] = why; });
  return result;
}

}  // namespace benchctl

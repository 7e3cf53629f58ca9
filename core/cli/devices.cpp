// `benchctl list --devices`: every device of every backend, or the reason why there is none.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "model/json.hpp"
#include "model/words.hpp"
#include "observe/environment.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using nlohmann::json;

constexpr double probe_timeout_seconds = 60;

/// Kind, units, memory and place: what a device tells of them.
std::string facts_of(const DeviceInfo& device) {
  std::string facts(to_string(device.type));
  if (device.compute_units > 0) facts += fmt::format(", {} compute units", device.compute_units);
  const auto memory = static_cast<double>(device.limits.memory_bytes) / (1ULL << 30);
  if (memory > 0) facts += fmt::format(", {:.1f} GiB", memory);
  return device.physical.empty() ? facts : facts + ", " + visible(device.physical);
}

void print_text(const LaneTable& table, const PluginTable& plugins) {
  for (const BackendLanes& backend : table) {
    if (backend.lanes.empty())
      print_fitted("{:<18} unavailable: {}\n", backend.backend, visible_lines(backend.unavailable));
    for (const std::string& remark : backend.remarks)
      print_fitted("{:<18} {}\n", backend.backend, visible_lines(remark));
    for (const Lane& lane : backend.lanes) {
      const DeviceInfo& device = lane.device;
      print_fitted("{:<18} {} ({})\n", visible(lane.name()), visible(device.name), facts_of(device));
      const std::string both = device.driver.empty() || device.architecture.empty() ? "" : "; ";
      print_fitted("{:<18}   {}{}{}\n", "", visible(device.driver), both, visible(device.architecture));
    }
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    print_fitted("{:<18} plugin refused: {}\n", visible(plugin.name), visible_lines(plugin.reason));
  }
}

/// The processors and their clock settings, which must be equal on all nodes.
json machine_json() {
  json machine = json::object();
  const Environment environment = collect_environment();
  for (const char* key : {"cpu.model", "cpu.governor", "cpu.clock_limits", "cpu.turbo"}) {
    if (const std::string* value = environment.find(key)) machine[key] = *value;
  }
  return machine;
}

json devices_json(const LaneTable& table, const PluginTable& plugins) {
  const auto device_json = [](const Lane& lane) {
    json device = to_json(lane.device);
    device["device"] = lane.name();
    return device;
  };
  const json backends = list_of(table, [&](const BackendLanes& backend) {
    return json{{"backend", backend.backend},
                {"devices", list_of(backend.lanes, device_json)},
                {"unavailable", backend.unavailable},
                {"remarks", backend.remarks}};
  });
  return {{"backends", backends}, {"machine", machine_json()}, {"refused", refused_json(plugins)}};
}

std::string text_of(const json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) return "unknown";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

/// How this node differs from the file's: product, driver, architecture, units and clocks.
std::vector<std::string> differences(const json& expected, const json& found) {
  std::vector<std::string> sentences;
  const auto compare = [&](const std::string& what, const json& wanted, const json& here,
                           const std::string& key) {
    const std::string own = text_of(here, key);
    const std::string other = text_of(wanted, key);
    if (own != other) sentences.push_back(fmt::format("{}: {} is {}; expected {}", what, key, own, other));
  };
  for (const json& backend : expected.at("backends")) {
    const json& wanted = backend.at("devices");
    if (wanted.empty()) continue;
    const std::string name = backend.at("backend").get<std::string>();
    json here = json::array();
    for (const json& own : found.at("backends")) {
      if (own.at("backend") == name) here = own.at("devices");
    }
    if (here.size() != wanted.size()) {
      sentences.push_back(fmt::format("{}: {} devices; expected {}", name, here.size(), wanted.size()));
      continue;
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      const std::string lane = text_of(here[i], "device");
      for (const char* key : {"name", "driver", "architecture", "compute_units"})
        compare(lane, wanted[i], here[i], key);
      for (const auto& [key, value] : wanted[i].at("properties").items()) {
        if (key.find("clock") != std::string::npos)
          compare(lane, wanted[i].at("properties"), here[i].at("properties"), key);
      }
    }
  }
  for (const auto& [key, value] : expected.at("machine").items())
    compare("the machine", expected.at("machine"), found.at("machine"), key);
  return sentences;
}

std::vector<std::string> differences_from(const std::string& file, const json& found) {
  try {
    return differences(json::parse(read_file(file)), found);
  } catch (const json::exception& error) {
    throw UsageError(fmt::format("{} is not an output of `benchctl list --devices --format json`: {}", file,
                                 json_fault(error)));
  }
}

}  // namespace

void list_devices(Common& common, const std::string& expected, bool as_json) {
  Workers workers;
  const PluginTable plugins = workers.plugins(common);
  const LaneTable table = probe_lanes(plugins, workers.factory(), {}, probe_timeout_seconds);
  if (are_lanes_unknown(table)) common.exit_code = point_failed;
  as_json ? write_json(devices_json(table, plugins)) : print_text(table, plugins);
  if (expected.empty()) return;
  for (const std::string& difference : differences_from(expected, devices_json(table, plugins))) {
    tell("benchctl: {}\n", visible(difference));
    common.exit_code = point_failed;
  }
}

}  // namespace benchctl::cli

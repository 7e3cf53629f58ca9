// `benchctl devices`: every device of every backend, or the reason why there is none.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "model/json.hpp"
#include "model/visible.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using nlohmann::json;

constexpr double probe_timeout_seconds = 60;

void print_text(const LaneTable& table, const PluginTable& plugins) {
  for (const BackendLanes& backend : table) {
    if (backend.lanes.empty())
      print_fitted("{:<18} unavailable: {}\n", backend.backend, visible_lines(backend.unavailable));
    for (const std::string& remark : backend.remarks)
      print_fitted("{:<18} {}\n", backend.backend, visible_lines(remark));
    for (const Lane& lane : backend.lanes) {
      const DeviceInfo& device = lane.device;
      print_fitted("{:<18} {} ({}, {} compute units, {:.1f} GiB, {})\n", visible(lane.name()),
                   visible(device.name), to_string(device.type), device.compute_units,
                   static_cast<double>(device.limits.memory_bytes) / (1ULL << 30),
                   visible(device.physical));
      print_fitted("{:<18}   {}; {}\n", "", visible(device.driver), visible(device.architecture));
    }
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    print_fitted("{:<18} plugin refused: {}\n", visible(plugin.name), visible_lines(plugin.reason));
  }
}

}  // namespace

void add_devices(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("devices", "List the devices of every backend, or why there are none");
  auto format = std::make_shared<std::string>();
  add_format_option(*command, *format, {"text", "json"});
  command->callback([&common, format] {
    Workers workers;
    const PluginTable plugins = workers.plugins(common);
    const LaneTable table = probe_lanes(plugins, workers.factory(), {}, probe_timeout_seconds);
    if (are_lanes_unknown(table)) common.exit_code = point_failed;
    if (*format == "text") return print_text(table, plugins);
    json backends = json::array();
    for (const BackendLanes& backend : table) {
      json devices = json::array();
      for (const Lane& lane : backend.lanes) {
        json device = to_json(lane.device);
        device["device"] = lane.name();
        devices.push_back(std::move(device));
      }
      backends.push_back({{"backend", backend.backend},
                          {"devices", devices},
                          {"unavailable", backend.unavailable},
                          {"remarks", backend.remarks}});
    }
    json refused = json::array();
    for (const RefusedPlugin& plugin : plugins.refused()) {
      refused.push_back({{"library", plugin.library.string()}, {"reason", plugin.reason}});
    }
    std::cout << json{{"backends", backends}, {"refused", refused}}.dump(2) << '\n';
  });
}

}  // namespace benchctl::cli

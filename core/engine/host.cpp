#include "engine/host.hpp"

#include "engine/content_key.hpp"
#include "model/glob.hpp"
#include "model/json.hpp"
#include "observe/bus.hpp"
#include "observe/machine_observers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

Catalogue make_catalogue(const PluginHost& plugins) {
  Catalogue catalogue;
  for (Observer* observer : observers_of(plugins)) {
    for (const ReadingInfo& reading : observer->readings()) {
      if (catalogue.find_reading(reading.id) == nullptr) catalogue.readings.push_back(reading);
    }
  }
  for (const LoadedPlugin& plugin : plugins.plugins()) {
    if (plugin.backend == nullptr) continue;
    BackendEntry entry;
    entry.name = plugin.info.name;
    const auto variants = plugin.backend->variants();
    entry.variants.assign(variants.begin(), variants.end());
    entry.kernel_directory = plugin.kernel_directory;
    entry.compiles_offline = plugin.backend->compiles_offline();
    catalogue.backends.push_back(std::move(entry));
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    catalogue.absent.push_back({plugin.name, fmt::format("plugin refused: {}", plugin.reason)});
  }
  for (const LeftOutPlugin& plugin : plugins.left_out())
    catalogue.absent.push_back({plugin.name, plugin.reason});
  return catalogue;
}

std::vector<PluginBuild> plugin_builds(const PluginHost& plugins) {
  std::vector<PluginBuild> builds;
  for (const LoadedPlugin& plugin : plugins.plugins()) {
    builds.push_back({plugin.info.name, plugin.info.version, plugin.info.build, hash_file(plugin.library)});
  }
  return builds;
}

std::vector<Observer*> observers_of(const PluginHost& plugins) {
  std::vector<Observer*> observers;
  for (const LoadedPlugin& plugin : plugins.plugins()) {
    if (plugin.observer != nullptr) observers.push_back(plugin.observer);
  }
  for (Observer* observer : machine_observers()) observers.push_back(observer);
  return observers;
}

LaneTable probe_lanes(const PluginHost& plugins, ChannelFactory& factory,
                      const std::vector<std::string>& backends, double timeout_seconds) {
  LaneTable table;
  for (const LoadedPlugin& plugin : plugins.plugins()) {
    const std::string& name = plugin.info.name;
    if (plugin.backend == nullptr) continue;
    if (!backends.empty() && std::ranges::find(backends, name) == backends.end()) continue;
    BackendLanes entry;
    entry.backend = name;
    try {
      const json answer = factory.start()->call(Verb::probe, {{"backend", name}},
                                                std::chrono::duration<double>(timeout_seconds));
      for (const json& device : answer.at("devices")) {
        entry.lanes.push_back({name, device_from_json(device)});
        add_bus_properties(entry.lanes.back().device);
      }
      entry.unavailable = answer.at("unavailable").get<std::string>();
    } catch (const std::exception& error) {
      entry.unavailable = fmt::format("its devices cannot be enumerated: {}", error.what());
    }
    if (entry.lanes.empty() && entry.unavailable.empty()) entry.unavailable = "it found no device";
    table.push_back(std::move(entry));
  }
  return table;
}

std::vector<std::string> unmet_requirements(const std::vector<std::string>& requirements,
                                            const LaneTable& lanes) {
  std::vector<std::string> unmet;
  for (const std::string& requirement : requirements) {
    const std::size_t colon = requirement.find(':');
    const std::string backend = requirement.substr(0, colon);
    const std::string rest = colon == std::string::npos ? "" : requirement.substr(colon + 1);
    const auto entry = std::ranges::find(lanes, backend, &BackendLanes::backend);
    if (entry == lanes.end()) {
      unmet.push_back(fmt::format("required '{}': there is no backend '{}'", requirement, backend));
      continue;
    }
    const bool met = std::ranges::any_of(entry->lanes, [&](const Lane& lane) {
      return rest.empty() || to_string(lane.device.type) == rest || glob_match(rest, lane.device.id);
    });
    if (met) continue;
    unmet.push_back(
        entry->lanes.empty()
            ? fmt::format("required '{}': no device: {}", requirement, entry->unavailable)
            : fmt::format("required '{}': none of the devices of '{}' matches", requirement, backend));
  }
  return unmet;
}

}  // namespace benchctl

#include "model/published.hpp"

#include "model/json.hpp"
#include "model/words.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace benchctl {

using nlohmann::json;

namespace {

constexpr std::string_view prefix = "peak_";
constexpr std::string_view suffix = "_per_s";

/// Nothing where the property is not a positive number.
std::optional<double> number_of(const DeviceInfo& device, std::string_view name) {
  const auto found = device.properties.find(name);
  if (found == device.properties.end()) return std::nullopt;
  const std::optional<double> number = number_from<double>(found->second);
  return number > 0.0 ? number : std::nullopt;
}

}  // namespace

const std::pair<Value, double>& Published::base() const {
  if (relative_to) {
    const auto found =
        std::ranges::find_if(values, [&](const auto& entry) { return entry.first == *relative_to; });
    if (found != values.end()) return *found;
  }
  return values.at(0);
}

json to_json(const Published& published) {
  json values = json::array();
  for (const auto& [at, figure] : published.values) values.push_back({to_json(at), figure});
  return {{"source", published.source},
          {"hardware", published.hardware},
          {"metric", published.metric},
          {"unit", published.unit},
          {"match", to_json(published.match)},
          {"axis", published.axis},
          {"values", std::move(values)},
          {"relative_to", published.relative_to ? to_json(*published.relative_to) : json()}};
}

Published published_from_json(const json& j) {
  Published published;
  j.at("source").get_to(published.source);
  j.at("hardware").get_to(published.hardware);
  j.at("metric").get_to(published.metric);
  j.at("unit").get_to(published.unit);
  published.match = parameters_from_json(j.at("match"));
  j.at("axis").get_to(published.axis);
  for (const json& entry : j.at("values")) {
    published.values.emplace_back(value_from_json(entry.at(0)), entry.at(1).get<double>());
  }
  if (published.values.empty()) throw std::invalid_argument("published figures without a figure");
  if (!j.at("relative_to").is_null()) published.relative_to = value_from_json(j.at("relative_to"));
  return published;
}

DatasheetPeaks datasheet_peaks(const DeviceInfo& device) {
  DatasheetPeaks peaks;
  for (const auto& [name, property] : device.properties) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
        name.size() <= prefix.size() + suffix.size())
      continue;
    if (const auto value = number_of(device, name)) {
      peaks.emplace(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()), *value);
    }
  }
  const auto clock_khz = number_of(device, "memory_clock_max_khz");
  const auto bus_bits = number_of(device, "memory_bus_bits");
  if (clock_khz && bus_bits) peaks.try_emplace("dram", 2 * *clock_khz * 1e3 * *bus_bits / 8);
  return peaks;
}

}  // namespace benchctl

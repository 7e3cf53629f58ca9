#include "model/published.hpp"

#include "model/json_words.hpp"
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

template <>
struct JsonForm<std::pair<Value, double>> {
  static json to(const std::pair<Value, double>& pair) { return {written(pair.first), pair.second}; }
  static void from(const json& list, std::pair<Value, double>& pair) {
    read(list.at(0), pair.first);
    read(list.at(1), pair.second);
  }
};
BENCHCTL_JSON_RECORD(Published, source, hardware, metric, unit, match, axis, values, relative_to)

json to_json(const Published& published) { return written(published); }

Published published_from_json(const json& j) {
  Published published = read_as<Published>(j);
  if (published.values.empty()) throw std::invalid_argument("published figures without a figure");
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

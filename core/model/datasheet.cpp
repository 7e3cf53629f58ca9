#include "model/datasheet.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace benchctl {

namespace {

constexpr std::string_view prefix = "peak_";
constexpr std::string_view suffix = "_per_s";

std::optional<double> positive_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0)) return std::nullopt;
  return value;
}

std::optional<double> number_of(const DeviceInfo& device, std::string_view name) {
  const auto found = device.properties.find(name);
  return found != device.properties.end() ? positive_number(found->second) : std::nullopt;
}

}  // namespace

DatasheetPeaks datasheet_peaks(const DeviceInfo& device) {
  DatasheetPeaks peaks;
  for (const auto& [name, text] : device.properties) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
        name.size() <= prefix.size() + suffix.size())
      continue;
    if (const auto value = positive_number(text)) {
      peaks.emplace(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()), *value);
    }
  }
  const auto clock_khz = number_of(device, "memory_clock_max_khz");
  const auto bus_bits = number_of(device, "memory_bus_bits");
  if (clock_khz && bus_bits) peaks.try_emplace("dram", 2 * *clock_khz * 1e3 * *bus_bits / 8);
  return peaks;
}

}  // namespace benchctl

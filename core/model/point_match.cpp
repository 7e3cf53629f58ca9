#include "model/point_match.hpp"

#include <algorithm>

namespace benchctl {

std::optional<Value> value_at(const Point& point, const std::string& name,
                              std::optional<DeviceType> device_type) {
  const auto text = [](auto word) { return std::optional<Value>(std::string(word)); };
  if (name == "workload") return text(point.workload);
  if (name == "variant") return text(point.variant);
  if (name == "backend") return text(point.backend);
  if (name == "device") return text(point.device);
  if (name == "layout") return text(point.layout);
  if (name == "cache") return text(to_string(point.measure.cache));
  if (name == "launch") return text(to_string(point.measure.launch));
  if (name == "basis") return text(to_string(point.measure.basis));
  if (name == "device_type") return device_type ? text(to_string(*device_type)) : std::nullopt;
  for (const auto* parameters : {&point.problem, &point.tunables}) {
    if (const auto found = parameters->find(name); found != parameters->end()) return found->second;
  }
  return std::nullopt;
}

bool matches(const Point& point, const Parameters& wanted, std::optional<DeviceType> device_type) {
  return std::ranges::all_of(wanted, [&](const auto& entry) {
    return value_at(point, entry.first, device_type) == std::optional<Value>(entry.second);
  });
}

}  // namespace benchctl

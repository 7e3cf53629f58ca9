#include "model/point.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace benchctl {

const Lane* find_lane(const std::vector<Lane>& lanes, std::string_view name) {
  const auto found = std::ranges::find(lanes, name, &Lane::name);
  return found == lanes.end() ? nullptr : &*found;
}

std::string Point::label() const {
  std::string text = workload + '/' + variant + " @ " + device;
  if (!problem.empty()) text += ' ' + to_text(problem);
  if (!layout.empty()) text += " layout=" + layout;
  if (!tunables.empty()) text += ' ' + to_text(tunables);
  const MeasureSettings usual;
  const auto add = [&](std::string_view name, auto value, auto otherwise) {
    if (value != otherwise) text.append(" ").append(name).append("=").append(to_string(value));
  };
  add("basis", measure.basis, usual.basis);
  add("cache", measure.cache, usual.cache);
  add("launch", measure.launch, usual.launch);
  if (!apart.empty()) text += ' ' + apart;
  return text;
}

std::optional<Value> value_at(const Point& point, const std::string& name,
                              std::optional<DeviceType> device_type) {
  if (auto value = value_on(point, name)) return value;
  const auto text = [](auto word) { return std::optional<Value>(std::string(word)); };
  if (name == "workload") return text(point.workload);
  if (name == "variant") return text(point.variant);
  if (name == "backend") return text(point.backend);
  if (name == "device") return text(point.device);
  if (name == "basis") return text(to_string(point.measure.basis));
  if (name == "device_type" && device_type) return text(to_string(*device_type));
  return std::nullopt;
}

bool matches(const Point& point, const Parameters& wanted, std::optional<DeviceType> device_type) {
  return std::ranges::all_of(wanted, [&](const auto& entry) {
    return value_at(point, entry.first, device_type) == std::optional<Value>(entry.second);
  });
}

std::optional<Value> value_on(const Point& point, const std::string& axis) {
  if (const auto found = point.tunables.find(axis); found != point.tunables.end()) return found->second;
  if (const auto found = point.problem.find(axis); found != point.problem.end()) return found->second;
  if (axis == "layout" && !point.layout.empty()) return point.layout;
  if (axis == "cache") return std::string(to_string(point.measure.cache));
  if (axis == "launch") return std::string(to_string(point.measure.launch));
  return std::nullopt;
}

std::string question_axis(std::span<const AskedPoint> points, const std::string& wanted) {
  const auto has_wanted = [&](const AskedPoint& asked) {
    return value_on(*asked.point, wanted).has_value();
  };
  if (!wanted.empty() && std::ranges::any_of(points, has_wanted)) return wanted;
  using Values = std::set<Value, ValueOrder>;
  std::map<std::tuple<std::string, std::string, SharedParameters>, std::map<std::string, Values>> seen;
  for (const AskedPoint& asked : points) {
    const Point& point = *asked.point;
    if (asked.vendor) continue;
    auto& own = seen[{point.device, point.variant, point.problem}];
    for (const auto& [name, value] : point.tunables) own[name].insert(value);
    if (!point.layout.empty()) own["layout"].insert(point.layout);
  }
  std::set<std::string> axes;
  for (const auto& [key, own] : seen) {
    for (const auto& [name, values] : own) {
      if (values.size() > 1) axes.insert(name);
    }
  }
  return axes.size() == 1 ? *axes.begin() : std::string();
}

}  // namespace benchctl

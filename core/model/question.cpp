#include "model/question.hpp"

#include "model/value_order.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace benchctl {

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

#include "sweep/conditions.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

std::optional<Value> value_of(const std::string& name, const Point& point, const Lane* lane) {
  if (const auto found = point.problem.find(name); found != point.problem.end()) return found->second;
  if (const auto found = point.tunables.find(name); found != point.tunables.end()) return found->second;
  if (name == "layout" && !point.layout.empty()) return point.layout;
  if (name == "cache") return std::string(to_string(point.measure.cache));
  if (name == "launch") return std::string(to_string(point.measure.launch));
  if (name == "basis") return std::string(to_string(point.measure.basis));
  if (name == "backend") return point.backend;
  if (name == "variant") return point.variant;
  if (name == "device_type" && lane != nullptr) return std::string(to_string(lane->device.type));
  return std::nullopt;
}

}  // namespace

Conditions::Conditions(const Sweep& sweep) {
  for (const Condition& condition : sweep.where) entries_.push_back({&condition});
}

std::string Conditions::excludes(const Point& point, const Lane* lane, Reporter& warnings) {
  for (Entry& entry : entries_) {
    const Expression& expression = entry.condition->expression;
    Parameters values;
    for (const std::string& name : expression.names()) {
      auto value = value_of(name, point, lane);
      if (!value) break;
      values.emplace(name, std::move(*value));
    }
    if (values.size() != expression.names().size()) continue;
    try {
      if (expression.holds(values)) continue;
    } catch (const ExpressionError& error) {
      if (!entry.reported) {
        const Position quote = entry.condition->position;
        warnings.warning(
            position_in_string(warnings.source(quote.source), quote, error.offset()), expression.text(),
            fmt::format("where: {} ({}); points like this are skipped", error.what(), to_text(values)));
        entry.reported = true;
      }
      return fmt::format("where: \"{}\" cannot be evaluated: {} ({})", expression.text(), error.what(),
                         to_text(values));
    }
    return fmt::format("where: \"{}\" is false ({})", expression.text(), to_text(values));
  }
  return {};
}

}  // namespace benchctl

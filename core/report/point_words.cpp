#include "report/point_words.hpp"

#include "report/format.hpp"

#include <fmt/format.h>

namespace benchctl {

void PointWords::note(const Parameters& parameters, Values& values) {
  for (const auto& [name, value] : parameters) {
    Occurring& known = values.try_emplace(name, Occurring{value}).first->second;
    known.vary = known.vary || (value != known.first && to_text(value) != to_text(known.first));
  }
}

/// Those that have more than one value.
Parameters PointWords::varying(const Parameters& parameters, const Values& values) {
  Parameters kept;
  for (const auto& [name, value] : parameters) {
    const auto found = values.find(name);
    if (found != values.end() && found->second.vary) kept.emplace(name, value);
  }
  return kept;
}

void PointWords::add(const Point& point) {
  note(point.problem, problems_[point.workload]);
  note(point.tunables, tunables_[{point.workload, point.variant}]);
}

std::string PointWords::problem(const Point& point) const {
  const auto found = problems_.find(point.workload);
  const Parameters own = found != problems_.end() ? varying(point.problem, found->second) : Parameters{};
  return first_line(to_text(own.empty() ? point.problem.get() : own));
}

std::string PointWords::variant(const Point& point) const {
  std::string text = point.variant;
  if (const auto found = tunables_.find({point.workload, point.variant}); found != tunables_.end()) {
    const Parameters own = varying(point.tunables, found->second);
    if (!own.empty()) text += ' ' + to_text(own);
  }
  if (!point.layout.empty()) text += " layout=" + point.layout;
  return first_line(text);
}

std::string PointWords::measured_as(const Point& point) {
  return fmt::format("{}, {}, {}", to_string(point.measure.basis), to_string(point.measure.cache),
                     to_string(point.measure.launch));
}

std::string full_label(const Point& point) {
  return fmt::format("{} ({})", point.label(), PointWords::measured_as(point));
}

}  // namespace benchctl

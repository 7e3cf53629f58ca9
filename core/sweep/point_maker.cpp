#include "sweep/point_maker.hpp"

#include "sweep/configurations.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/limits.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <utility>

namespace benchctl {

namespace {

/// What a condition's name stands for, or nothing where the point has no such name.
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

PointMaker::PointMaker(const Config& config, std::size_t index, const Workload& workload,
                       Reporter& warnings)
    : sweep_(config.sweeps[index]), index_(index), workload_(workload), warnings_(warnings) {}

const PointMaker::Problem& PointMaker::problem(const SharedParameters& given, const std::string& layout) {
  if (problem_ && problem_->given == given && problem_->layout == layout) return *problem_;
  Problem& made = problem_.emplace(Problem{given, layout, given, {}, {}});
  try {
    made.complete = complete_parameters(workload_, given);
    made.spec = workload_.problem(made.complete, layout);
  } catch (const ProblemError& error) {
    made.error = error.what();
  } catch (const ExpressionError& error) {
    made.error = error.what();
  }
  return made;
}

Point PointMaker::make(const Placement& placement, Combination combination) {
  const Problem& of_point = problem(combination.problem, combination.layout);
  Point point;
  point.sweep = index_;
  point.workload = sweep_.workload.text;
  point.variant = placement.variant->name;
  point.backend = placement.target->backend->name;
  point.device = placement.target->name;
  point.problem = of_point.complete;
  point.layout = std::move(combination.layout);
  point.tunables = std::move(combination.tunables);
  point.measure = std::move(combination.measure);
  point.expect = placement.expect;
  point.reason = obstacle(point, placement, of_point);
  if (!point.reason.empty()) point.status = Status::skipped;
  if (point.reason.empty() && placement.target->lane == nullptr) {
    point.status = placement.target->no_device_status;
    point.reason = (point.status == Status::skipped ? "no device: " : "") + placement.target->no_device;
  }
  return point;
}

/// Why the point cannot run where it has a device, or an empty text.
std::string PointMaker::obstacle(const Point& point, const Placement& placement, const Problem& problem) {
  if (!problem.error.empty()) return problem.error;
  const Lane* lane = placement.target->lane;
  if (std::string reason = excluded_by_condition(point, lane); !reason.empty()) return reason;
  if (lane == nullptr) return {};
  const VariantInfo& variant = *placement.variant;
  const BackendEntry& backend = *placement.target->backend;
  if (!variant.among.empty()) {
    std::string reason = ruled_out_by({variant, backend, lane->device, problem.spec, point.tunables});
    if (!reason.empty()) return reason;
    return find_configurations(workload_, variant, backend, lane->device, problem.spec, 1).reason;
  }
  const Parameters values =
      kernel_values(point.problem, point.layout, point.tunables, device_values(lane->device));
  return ruled_out_by({variant, backend, lane->device, problem.spec, values});
}

/// Which condition of the sweep excludes the point, with the values that it mentions, or an empty text. A
/// condition applies when the point has all its names: problem parameters, tunables, `layout`, `cache`,
/// `launch`, `basis`, `backend`, `variant` and, on a lane, `device_type`. One that cannot be evaluated
/// excludes the point.
std::string PointMaker::excluded_by_condition(const Point& point, const Lane* lane) {
  for (const Condition& condition : sweep_.where) {
    const Expression& expression = condition.expression;
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
      report(condition, error, values);
      return fmt::format("where: \"{}\" cannot be evaluated: {} ({})", expression.text(), error.what(),
                         to_text(values));
    }
    return fmt::format("where: \"{}\" is false ({})", expression.text(), to_text(values));
  }
  return {};
}

/// Once for each condition.
void PointMaker::report(const Condition& condition, const ExpressionError& error,
                        const Parameters& values) {
  if (!reported_.insert(&condition).second) return;
  const Position quote = condition.position;
  warnings_.warning(
      position_in_string(warnings_.source(quote.source), quote, error.offset()),
      condition.expression.text(),
      fmt::format("where: {} ({}); points like this are skipped", error.what(), to_text(values)));
}

}  // namespace benchctl

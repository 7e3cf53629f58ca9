#include "sweep/point_maker.hpp"

#include "sweep/configurations.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/limits.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace benchctl {

namespace {

/// Does anything of the variant depend on values? Making these known takes as long as all else of a point.
bool has_expressions(const VariantInfo& variant) {
  return variant.kernel || !variant.require.empty() ||
         std::ranges::any_of(variant.tunables,
                             [](const TunableInfo& info) { return !info.require.empty(); });
}

}  // namespace

PointMaker::PointMaker(const Config& config, std::size_t index, const Workload& workload,
                       Reporter& warnings)
    : sweep_(config.sweeps[index]),
      index_(index),
      workload_(workload),
      warnings_(warnings),
      conditions_(sweep_) {}

/// Fills in the defaults of the problem parameters.
void PointMaker::complete(const SharedParameters& given) {
  if (current_ == given) return;
  current_ = given;
  values_are_old_ = true;
  problem_ = {};
  problem_.complete = given;
  try {
    problem_.complete = complete_parameters(workload_, given);
  } catch (const ProblemError& error) {
    problem_.error = error.what();
  } catch (const ExpressionError& error) {
    problem_.error = error.what();
  }
}

/// Makes the buffers of the current problem known, in one layout.
void PointMaker::specify(const std::string& layout) {
  if (!problem_.error.empty() || problem_.layout == layout) return;
  values_are_old_ = true;
  problem_.layout = layout;
  problem_.layout_error.clear();
  try {
    problem_.spec = workload_.problem(problem_.complete, layout);
  } catch (const ProblemError& error) {
    problem_.layout_error = error.what();
  }
}

Point PointMaker::make(const Choice& choice, Combination combination) {
  complete(combination.problem);
  Point point;
  point.sweep = index_;
  point.workload = sweep_.workload.text;
  point.variant = choice.variant->name;
  point.backend = choice.target->backend->name;
  point.device = choice.target->name;
  point.problem = problem_.complete;
  point.layout = std::move(combination.layout);
  point.tunables = std::move(combination.tunables);
  point.measure = std::move(combination.measure);
  point.expect = choice.expect;
  point.reason = obstacle(point, choice);
  if (!point.reason.empty()) point.status = Status::skipped;
  if (point.reason.empty() && choice.target->lane == nullptr) {
    point.status = choice.target->no_device_status;
    point.reason = (point.status == Status::skipped ? "no device: " : "") + choice.target->no_device;
  }
  return point;
}

/// kernel_values() of the point. All points of a choice have the same names: what differs from the point
/// before is set anew.
const Parameters& PointMaker::expression_values(const Point& point, const Choice& choice) {
  const bool old = std::exchange(values_are_old_, false);
  if (values_of_ != &choice) {
    values_ = kernel_values(point.problem, point.layout, point.tunables,
                            device_values(choice.target->lane->device));
    values_of_ = &choice;
    return values_;
  }
  if (old) {
    for (const auto& [name, value] : point.problem) values_.insert_or_assign(name, value);
    if (!point.layout.empty()) values_.insert_or_assign("layout", point.layout);
  }
  for (const auto& [name, value] : point.tunables) {
    if (!point.problem.contains(name)) values_.insert_or_assign(name, value);
  }
  return values_;
}

/// Why the point cannot run where it has a device, or an empty text.
std::string PointMaker::obstacle(const Point& point, const Choice& choice) {
  specify(point.layout);
  if (!problem_.error.empty()) return problem_.error;
  if (!problem_.layout_error.empty()) return problem_.layout_error;
  const Lane* lane = choice.target->lane;
  if (std::string reason = conditions_.excludes(point, lane, warnings_); !reason.empty()) return reason;
  if (lane == nullptr) return {};
  if (!choice.variant->among.empty()) {
    const BackendEntry& backend = *choice.target->backend;
    std::string reason =
        ruled_out_by({*choice.variant, backend, lane->device, problem_.spec, point.tunables});
    if (!reason.empty()) return reason;
    return find_configurations(*choice.variant, backend, lane->device, problem_.spec, 1).reason;
  }
  static const Parameters none;
  const Parameters& values = has_expressions(*choice.variant) ? expression_values(point, choice) : none;
  return ruled_out_by({*choice.variant, *choice.target->backend, lane->device, problem_.spec, values});
}

}  // namespace benchctl

#include "sweep/kernel_plan.hpp"

#include "expr/expression.hpp"
#include "model/point.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

/// Evaluates one expression of the description and names its place when that fails.
template <class Use>
auto evaluated(const std::string& place, const std::string& text, Use use) {
  try {
    return use(Expression::parse(text));
  } catch (const ExpressionError& error) {
    throw KernelPlanError(fmt::format("{} = \"{}\": {}", place, text, error.what()));
  }
}

std::string literal(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  return to_text(value);
}

PlannedArgument find_argument(const std::string& name, const ProblemSpec& problem, const KernelSpec& spec,
                              const std::string& entry) {
  if (const auto index = problem.buffer_index(name)) return {PlannedArgument::Kind::buffer, *index};
  if (const auto index = problem.scalar_index(name)) return {PlannedArgument::Kind::scalar, *index};
  for (std::size_t i = 0; i < spec.scratch.size(); ++i) {
    if (spec.scratch[i].name == name) return {PlannedArgument::Kind::scratch, i};
  }
  throw KernelPlanError(
      fmt::format("argument '{}' of kernel '{}' is no buffer, scratch buffer or scalar of workload '{}'",
                  name, entry, problem.workload));
}

}  // namespace

KernelPlan plan_kernel(const KernelSpec& spec, const Parameters& values, const ProblemSpec& problem,
                       const std::filesystem::path& kernel_directory) {
  const auto count = [&](const std::string& place, const std::string& text) {
    return evaluated(place, text, [&](const Expression& expression) { return expression.count(values); });
  };
  KernelPlan plan;
  for (const ScratchSpec& scratch : spec.scratch) {
    plan.scratch.push_back({scratch.name, scratch.type,
                            count("scratch " + scratch.name + ", count", scratch.count), scratch.zeroed});
  }
  for (const LaunchSpec& launch : spec.launches) {
    const std::string place = "kernel " + launch.entry + ", ";
    PlannedLaunch planned;
    planned.source = (kernel_directory / launch.source).lexically_normal().string();
    planned.entry = launch.entry;
    for (const auto& [macro, text] : launch.defines) {
      planned.defines[macro] =
          evaluated(place + "define " + macro, text,
                    [&](const Expression& expression) { return literal(expression.evaluate(values)); });
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      planned.block[axis] = count(place + "block", launch.block[axis]);
      planned.grid[axis] = count(place + "grid", launch.grid[axis]);
      if (planned.block[axis] == 0 || planned.grid[axis] == 0) {
        throw KernelPlanError(fmt::format("{}block and grid must be at least 1 in every direction", place));
      }
    }
    planned.shared_bytes = count(place + "shared_bytes", launch.shared_bytes);
    planned.local_bytes = count(place + "local_bytes", launch.local_bytes);
    for (const std::string& name : launch.arguments) {
      planned.arguments.push_back(find_argument(name, problem, spec, launch.entry));
    }
    plan.launches.push_back(std::move(planned));
  }
  return plan;
}

}  // namespace benchctl

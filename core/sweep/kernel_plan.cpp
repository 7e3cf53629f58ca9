#include "sweep/kernel_plan.hpp"

#include "expr/expression.hpp"
#include "model/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace benchctl {

namespace {

/// Evaluates one expression of the description and names its place when that fails: `owner` is a launch's
/// entry or a scratch buffer's name, `what` the part of it.
template <class Use>
auto evaluated(std::string_view kind, const std::string& owner, std::string_view what,
               const std::string& text, Use use) {
  try {
    return use(parsed_expression(text));
  } catch (const ExpressionError& error) {
    throw KernelPlanError(fmt::format("{} {}, {} = \"{}\": {}", kind, owner, what, text, error.what()));
  }
}

std::uint64_t count(const LaunchSpec& launch, std::string_view what, const std::string& text,
                    const Parameters& values) {
  return evaluated("kernel", launch.entry, what, text,
                   [&](const Expression& expression) { return expression.count(values); });
}

/// The text of a definition. A real stays one in every kernel language: `2.0`, where `1 / 2` would be 0.
/// Words become part of a source or of a command line, where a line's end or a backslash would begin
/// something else.
std::string literal(const Value& value, const LaunchSpec& launch, const std::string& macro) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  std::string text = to_text(value);
  if (std::holds_alternative<double>(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  const auto harmless = [](char c) { return (c >= ' ' && c != '\\' && c != '\x7f'); };
  if (!std::ranges::all_of(text, harmless)) {
    throw KernelPlanError(fmt::format(
        "kernel {}, define {}: the word has a character that no definition can have (a line's end, a "
        "backslash, another control character)",
        launch.entry, macro));
  }
  return text;
}

void add_all_arguments(const ProblemSpec& problem, std::vector<PlannedArgument>& arguments) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    arguments.push_back({PlannedArgument::Kind::buffer, i});
  }
  for (std::size_t i = 0; i < problem.scalars.size(); ++i) {
    arguments.push_back({PlannedArgument::Kind::scalar, i});
  }
}

std::optional<PlannedArgument> find_named(std::string_view name, const ProblemSpec& problem,
                                          const KernelSpec& spec) {
  if (const auto index = problem.buffer_index(name))
    return PlannedArgument{PlannedArgument::Kind::buffer, *index};
  if (const auto index = problem.scalar_index(name))
    return PlannedArgument{PlannedArgument::Kind::scalar, *index};
  for (std::size_t i = 0; i < spec.scratch.size(); ++i) {
    if (spec.scratch[i].name == name) return PlannedArgument{PlannedArgument::Kind::scratch, i};
  }
  return std::nullopt;
}

/// A name or alternatives ("y|x"), not an expression.
bool is_name(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '|'; });
}

/// What an argument's text stands for.
std::string argument_name(const std::string& text, const Parameters& values, const std::string& entry) {
  if (is_name(text)) return text;
  const Value value = evaluated("kernel", entry, "argument", text,
                                [&](const Expression& expression) { return expression.evaluate(values); });
  if (const auto* name = std::get_if<std::string>(&value)) return *name;
  throw KernelPlanError(
      fmt::format("kernel {}, argument \"{}\" gives {}, which is not a name", entry, text, to_text(value)));
}

/// The first alternative that exists.
PlannedArgument find_argument(const std::string& text, const ProblemSpec& problem, const KernelSpec& spec,
                              const std::string& entry) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    const std::string_view name = std::string_view(text).substr(begin, end - begin);
    if (const auto found = find_named(name, problem, spec)) return *found;
    begin = end + 1;
  }
  throw KernelPlanError(
      fmt::format("argument '{}' of kernel '{}' is not a buffer, scratch buffer or scalar of workload '{}'",
                  text, entry, problem.workload));
}

}  // namespace

Parameters device_values(const DeviceInfo& device) {
  return {{"compute_units", std::int64_t{std::max(1U, device.compute_units)}},
          {"warp", std::int64_t{std::max(1U, device.memory.warp)}},
          {"last_level_cache", static_cast<std::int64_t>(device.last_level_cache_bytes)}};
}

Parameters kernel_values(const Parameters& problem, const std::string& layout, const Parameters& tunables,
                         const Parameters& device) {
  Parameters values = problem;
  values.insert(tunables.begin(), tunables.end());
  if (!layout.empty()) values["layout"] = layout;
  values.insert(device.begin(), device.end());
  return values;
}

Parameters with_derived(const KernelSpec& spec, Parameters values) {
  try {
    derive(spec.derived, values);
  } catch (const ExpressionError& error) {
    throw KernelPlanError(error.what());
  }
  return values;
}

bool takes_place(const LaunchSpec& launch, const Parameters& values) {
  return evaluated("kernel", launch.entry, "when", launch.when,
                   [&](const Expression& expression) { return expression.holds(values); });
}

LaunchShape launch_shape(const LaunchSpec& launch, const Parameters& values) {
  LaunchShape shape;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    shape.block[axis] = count(launch, "block", launch.block[axis], values);
    shape.grid[axis] = count(launch, "grid", launch.grid[axis], values);
    if (shape.block[axis] == 0 || shape.grid[axis] == 0) {
      throw KernelPlanError(
          fmt::format("kernel {}, block and grid must be at least 1 in every direction", launch.entry));
    }
  }
  shape.shared_bytes = count(launch, "shared_bytes", launch.shared_bytes, values);
  shape.local_bytes = count(launch, "local_bytes", launch.local_bytes, values);
  return shape;
}

std::uint64_t scratch_count(const ScratchSpec& scratch, const Parameters& values) {
  return evaluated("scratch", scratch.name, "count", scratch.count,
                   [&](const Expression& expression) { return expression.count(values); });
}

KernelPlan plan_kernel(const KernelSpec& spec, const Parameters& given, const ProblemSpec& problem,
                       const std::filesystem::path& kernel_directory) {
  const Parameters values = with_derived(spec, given);
  KernelPlan plan;
  for (const ScratchSpec& scratch : spec.scratch) {
    plan.scratch.push_back({scratch.name, scratch.type, scratch_count(scratch, values), scratch.zeroed});
  }
  for (const LaunchSpec& launch : spec.launches) {
    if (!takes_place(launch, values)) continue;
    PlannedLaunch planned;
    planned.source = (kernel_directory / launch.source).lexically_normal().string();
    planned.entry = launch.entry;
    for (const auto& [macro, text] : launch.defines) {
      planned.defines[macro] = evaluated("kernel", launch.entry, "define " + macro, text,
                                         [&, &name = macro](const Expression& expression) {
                                           return literal(expression.evaluate(values), launch, name);
                                         });
    }
    const LaunchShape shape = launch_shape(launch, values);
    planned.block = shape.block;
    planned.grid = shape.grid;
    planned.shared_bytes = shape.shared_bytes;
    planned.local_bytes = shape.local_bytes;
    for (const std::string& name : launch.arguments) {
      if (name == all_arguments) {
        add_all_arguments(problem, planned.arguments);
        continue;
      }
      planned.arguments.push_back(
          find_argument(argument_name(name, values, launch.entry), problem, spec, launch.entry));
    }
    plan.launches.push_back(std::move(planned));
  }
  return plan;
}

}  // namespace benchctl

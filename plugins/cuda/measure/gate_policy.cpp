#include "measure/gate_policy.hpp"

#include "gpu/gate.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

namespace benchctl::cuda {

namespace {

using namespace std::string_view_literals;

/// Set by tools that insert themselves between a program and the driver, to whatever value.
constexpr std::array tool_variables{"CUDA_INJECTION64_PATH"sv, "NVTX_INJECTION64_PATH"sv};
/// Prefixes of the variables by which Compute Sanitizer, Nsight Compute, Nsight Systems and cuda-gdb talk
/// to the programs that they start.
constexpr std::array tool_prefixes{
    "NV_COMPUTE_SANITIZER"sv, "NV_SANITIZER_"sv, "NV_NSIGHT_"sv, "NV_TPS_"sv, "NSYS_"sv, "CUDBG_"sv};
/// Parts of the names of libraries that such tools preload.
constexpr std::array preloaded_parts{"sanitizer-collection"sv, "TargetInjection"sv, "ToolsInjection"sv,
                                     "nsight"sv};

std::string objection_to(std::string_view name, std::string_view value) {
  const std::string quoted(name);
  if (name == "BENCHCTL_NO_GATE"sv && gpu::is_switched_on(value)) return "BENCHCTL_NO_GATE is set";
  if (name == "CUDA_LAUNCH_BLOCKING"sv && gpu::is_switched_on(value)) {
    return "CUDA_LAUNCH_BLOCKING makes every launch wait for its end";
  }
  const bool is_tool =
      std::ranges::find(tool_variables, name) != tool_variables.end() ||
      std::ranges::any_of(tool_prefixes, [&](auto prefix) { return name.starts_with(prefix); });
  if (is_tool && !value.empty()) return quoted + " is set: a profiler, sanitizer or debugger is attached";
  const auto preloads = [&](std::string_view part) { return value.find(part) != std::string_view::npos; };
  if (name == "LD_PRELOAD"sv && std::ranges::any_of(preloaded_parts, preloads)) {
    return "LD_PRELOAD holds a library of a profiler or sanitizer";
  }
  return {};
}

}  // namespace

std::string gate_objection(std::span<const std::string_view> environment, long tracer_pid) {
  if (tracer_pid != 0)
    return "process " + std::to_string(tracer_pid) + " traces this one: a debugger is attached";
  for (const std::string_view entry : environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    std::string objection = objection_to(entry.substr(0, equals), entry.substr(equals + 1));
    if (!objection.empty()) return objection;
  }
  return {};
}

std::string gate_objection_here() {
  std::vector<std::string_view> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    environment.emplace_back(*entry);
  return gate_objection(environment, gpu::tracer_of_this_process());
}

}  // namespace benchctl::cuda

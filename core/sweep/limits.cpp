#include "sweep/limits.hpp"

#include "expr/expression.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

/// Kept for the first rule that applies: they are ordered from what a device cannot do at all to what is
/// merely too large.
using Reason = std::string;

template <class Range>
std::string joined(const Range& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

Reason element_type(const LimitCase& point) {
  const auto found = point.problem.parameters.find("dtype");
  if (found == point.problem.parameters.end()) return {};
  const auto dtype = parse_enum<DType>(std::get<std::string>(found->second));
  if (!dtype) return {};
  const auto& dtypes = point.variant.dtypes;
  if (!dtypes.empty() && std::ranges::find(dtypes, *dtype) == dtypes.end()) {
    std::vector<std::string_view> names;
    for (const DType type : dtypes) names.push_back(to_string(type));
    return fmt::format("unsupported: variant '{}' takes dtype {}, not {}", point.variant.name,
                       joined(names), to_string(*dtype));
  }
  if (*dtype == DType::f64 && !point.device.fp64)
    return "unsupported: the device has no double precision (dtype=f64)";
  if (*dtype == DType::f16 && !point.device.fp16)
    return "unsupported: the device has no half precision (dtype=f16)";
  return {};
}

Reason layout(const LimitCase& point) {
  const auto& layouts = point.variant.layouts;
  if (layouts.empty() || std::ranges::find(layouts, point.problem.layout) != layouts.end()) return {};
  return fmt::format("unsupported: variant '{}' takes layout {}, not '{}'", point.variant.name,
                     joined(layouts), point.problem.layout);
}

Reason device_kind(const LimitCase& point) {
  const auto& types = point.variant.device_types;
  if (!types.empty() && std::ranges::find(types, point.device.type) == types.end()) {
    std::vector<std::string_view> names;
    for (const DeviceType type : types) names.push_back(to_string(type));
    return fmt::format("unsupported: variant '{}' is for device type {}, this is a {}", point.variant.name,
                       joined(names), to_string(point.device.type));
  }
  for (const std::string& feature : point.variant.features) {
    if (std::ranges::find(point.device.features, feature) == point.device.features.end()) {
      return fmt::format("unsupported: variant '{}' needs {}, which the device has not", point.variant.name,
                         feature);
    }
  }
  return {};
}

Reason requirement(const LimitCase& point, const std::string& text) {
  try {
    if (Expression::parse(text).holds(point.values)) return {};
    return fmt::format("constraint: variant '{}' needs {} ({})", point.variant.name, text,
                       to_text(point.values));
  } catch (const ExpressionError& error) {
    return fmt::format("constraint: \"{}\" of variant '{}': {}", text, point.variant.name, error.what());
  }
}

Reason requirements(const LimitCase& point) {
  for (const std::string& text : point.variant.require) {
    if (Reason reason = requirement(point, text); !reason.empty()) return reason;
  }
  for (const TunableInfo& tunable : point.variant.tunables) {
    for (const std::string& text : tunable.require) {
      if (Reason reason = requirement(point, text); !reason.empty()) return reason;
    }
  }
  return {};
}

Reason launch_limits(const LimitCase& point, const PlannedLaunch& launch) {
  const DeviceLimits& limits = point.device.limits;
  constexpr const char* axes = "xyz";
  std::uint64_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    threads *= launch.block[axis];
    if (limits.max_block[axis] > 0 && launch.block[axis] > limits.max_block[axis]) {
      return fmt::format("device limit: {} threads per block in {}, the device allows {}",
                         launch.block[axis], axes[axis], limits.max_block[axis]);
    }
    if (limits.max_grid[axis] > 0 && launch.grid[axis] > limits.max_grid[axis]) {
      return fmt::format("device limit: {} blocks in {}, the device allows {}", launch.grid[axis],
                         axes[axis], limits.max_grid[axis]);
    }
  }
  if (limits.max_block_threads > 0 && threads > limits.max_block_threads) {
    return fmt::format("device limit: {} threads per block, the device allows {}", threads,
                       limits.max_block_threads);
  }
  const std::uint64_t local = std::max(launch.local_bytes, launch.shared_bytes);
  if (limits.local_memory_bytes > 0 && local > limits.local_memory_bytes) {
    return fmt::format("device limit: {} of shared (local) memory per block, the device has {}",
                       bytes_text(local), bytes_text(limits.local_memory_bytes));
  }
  return {};
}

Reason memory(const LimitCase& point, const KernelPlan& plan) {
  const DeviceLimits& limits = point.device.limits;
  std::uint64_t sum = point.problem.bytes();
  std::uint64_t largest = 0;
  for (const BufferSpec& buffer : point.problem.buffers) largest = std::max(largest, buffer.bytes());
  for (const PlannedScratch& scratch : plan.scratch) {
    const std::uint64_t bytes = scratch.count * size_of(scratch.type);
    largest = std::max(largest, bytes);
    sum += bytes;
  }
  if (limits.max_allocation_bytes > 0 && largest > limits.max_allocation_bytes) {
    return fmt::format("device limit: a buffer of {}, the device allows {}", bytes_text(largest),
                       bytes_text(limits.max_allocation_bytes));
  }
  if (limits.memory_bytes > 0 && sum > limits.memory_bytes) {
    return fmt::format("device limit: buffers of {} together, the device has {}", bytes_text(sum),
                       bytes_text(limits.memory_bytes));
  }
  return {};
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (number >= 1024 && unit + 1 < units.size()) {
    number /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", number, units[unit]);
}

std::string ruled_out_by(const LimitCase& point) {
  for (const auto rule : {element_type, layout, device_kind, requirements}) {
    if (Reason reason = rule(point); !reason.empty()) return reason;
  }
  KernelPlan plan;
  if (point.variant.kernel) {
    try {
      plan =
          plan_kernel(*point.variant.kernel, point.values, point.problem, point.backend.kernel_directory);
    } catch (const KernelPlanError& error) {
      return fmt::format("unsupported: {}", error.what());
    }
    for (const PlannedLaunch& launch : plan.launches) {
      if (Reason reason = launch_limits(point, launch); !reason.empty()) return reason;
    }
  }
  return memory(point, plan);
}

}  // namespace benchctl

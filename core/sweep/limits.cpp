#include "sweep/limits.hpp"

#include "expr/expression.hpp"
#include "model/words.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace benchctl {

namespace {

/// What the rules look at.
struct LimitCase : PlanCase {
  explicit LimitCase(const PlanCase& point) : PlanCase(point), given(point.values()) {}
  Parameters given;
};

/// Kept for the first rule that applies: they are ordered from what a device cannot do at all to what is
/// merely too large.
using Reason = std::string;

template <class Enum>
std::string words_of(const std::vector<Enum>& values) {
  return fmt::format("{}", fmt::join(names_of(values, &to_string<Enum>), ", "));
}

Reason element_type(const LimitCase& point) {
  const auto found = point.problem.parameters.find("dtype");
  if (found == point.problem.parameters.end()) return {};
  const auto* name = std::get_if<std::string>(&found->second);
  const auto dtype = name == nullptr ? std::nullopt : parse_enum<DType>(*name);
  if (!dtype) return {};
  const auto& dtypes = point.variant.dtypes;
  if (!dtypes.empty() && std::ranges::find(dtypes, *dtype) == dtypes.end()) {
    return fmt::format("unsupported: variant '{}' takes dtype {}, not {}", point.variant.name,
                       words_of(dtypes), to_string(*dtype));
  }
  if (*dtype == DType::f64 && !point.device.fp64)
    return "unsupported: the device has no double precision (dtype=f64)";
  return {};
}

Reason layout(const LimitCase& point) {
  const auto& layouts = point.variant.layouts;
  if (layouts.empty() || std::ranges::find(layouts, point.problem.layout) != layouts.end()) return {};
  // The point's own layout is left out, so that all such points have one reason.
  return fmt::format("unsupported: variant '{}' takes layout {} only", point.variant.name,
                     fmt::join(layouts, ", "));
}

Reason device_kind(const LimitCase& point) {
  const auto& types = point.variant.device_types;
  if (!types.empty() && std::ranges::find(types, point.device.type) == types.end()) {
    return fmt::format("unsupported: variant '{}' is for device type {}, this is a {}", point.variant.name,
                       words_of(types), to_string(point.device.type));
  }
  for (const std::string& feature : point.variant.features) {
    if (std::ranges::find(point.device.features, feature) == point.device.features.end()) {
      return fmt::format("unsupported: variant '{}' requires {}, which this device does not support",
                         point.variant.name, feature);
    }
  }
  return {};
}

/// Those of the values that an expression mentions: "k=33 n=7".
std::string mentioned(const Expression& expression, const Parameters& values) {
  Parameters named;
  for (const std::string& name : expression.names()) {
    const auto found = values.find(name);
    if (found != values.end()) named.insert(*found);
  }
  return to_text(named);
}

Reason requirements(const LimitCase& point, const std::vector<std::string>& texts,
                    const Parameters& values) {
  for (const std::string& text : texts) {
    try {
      const Expression& expression = parsed_expression(text);
      if (expression.holds(values)) continue;
      return fmt::format("constraint: variant '{}' needs {} ({})", point.variant.name, text,
                         mentioned(expression, values));
    } catch (const ExpressionError& error) {
      return fmt::format("constraint: \"{}\" of variant '{}': {}", text, point.variant.name, error.what());
    }
  }
  return {};
}

Reason tunables(const LimitCase& point) {
  for (const TunableInfo& tunable : point.variant.tunables) {
    if (Reason reason = requirements(point, tunable.require, point.given); !reason.empty()) return reason;
  }
  return {};
}

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

/// Product and sum that stay at the largest number instead of wrapping around to a small one.
std::uint64_t times(std::uint64_t a, std::uint64_t b) { return b != 0 && a > most / b ? most : a * b; }
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > most - b ? most : a + b; }

/// Is the limit known and exceeded?
bool exceeds(std::uint64_t wanted, std::uint64_t limit) { return limit > 0 && wanted > limit; }

/// " with tile=64": the tunables that one of the texts depends on, by way of derived values, too.
template <class Texts>
std::string with_tunables(const LimitCase& point, const Texts& texts) {
  std::set<std::string, std::less<>> names;
  const auto add_names_of = [&](const std::string& text) {
    const auto& mentioned = parsed_expression(text).names();
    names.insert(mentioned.begin(), mentioned.end());
  };
  for (const std::string& text : texts) add_names_of(text);
  if (point.variant.kernel) {
    const auto& derived = point.variant.kernel->derived;
    for (auto one = derived.rbegin(); one != derived.rend(); ++one) {
      if (names.contains(one->first)) add_names_of(one->second);
    }
  }
  Parameters values;
  for (const TunableInfo& tunable : point.variant.tunables) {
    const auto found = point.given.find(tunable.name);
    if (found != point.given.end() && names.contains(tunable.name)) values.insert(*found);
  }
  return values.empty() ? std::string() : " with " + to_text(values);
}

/// Both in bytes where rounding would make them look alike.
std::pair<std::string, std::string> bytes_texts(std::uint64_t wanted, std::uint64_t limit) {
  std::pair<std::string, std::string> texts{bytes_text(wanted), bytes_text(limit)};
  if (texts.first == texts.second) {
    texts = {fmt::format("{} bytes", wanted), fmt::format("{} bytes", limit)};
  }
  return texts;
}

Reason launch_limits(const LimitCase& point, const LaunchSpec& launch, const LaunchShape& shape) {
  const DeviceLimits& limits = point.device.limits;
  constexpr const char* axes = "xyz";
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (exceeds(shape.block[axis], limits.max_block[axis])) {
      return fmt::format("device limit: {} threads per block in {}{}, the device allows {}",
                         shape.block[axis], axes[axis], with_tunables(point, launch.block),
                         limits.max_block[axis]);
    }
    if (exceeds(shape.grid[axis], limits.max_grid[axis])) {
      return fmt::format("device limit: {} blocks in {}{}, the device allows {}", shape.grid[axis],
                         axes[axis], with_tunables(point, launch.grid), limits.max_grid[axis]);
    }
  }
  const std::uint64_t threads = times(times(shape.block[0], shape.block[1]), shape.block[2]);
  if (exceeds(threads, limits.max_block_threads)) {
    return fmt::format("device limit: {} threads per block{}, the device allows {}", threads,
                       with_tunables(point, launch.block), limits.max_block_threads);
  }
  const std::uint64_t local = std::max(shape.local_bytes, shape.shared_bytes);
  if (exceeds(local, limits.local_memory_bytes)) {
    const auto [wanted, limit] = bytes_texts(local, limits.local_memory_bytes);
    return fmt::format(
        "device limit: {} of shared (local) memory per block{}, the device has {}", wanted,
        with_tunables(point, std::array<std::string, 2>{launch.local_bytes, launch.shared_bytes}), limit);
  }
  return {};
}

/// Bytes of a buffer, problem's or variant's own.
using NamedBytes = std::pair<std::string_view, std::uint64_t>;

Reason memory(const LimitCase& point, const std::vector<NamedBytes>& scratch) {
  const DeviceLimits& limits = point.device.limits;
  std::uint64_t sum = 0;
  NamedBytes largest{"", 0};
  const auto add = [&](const NamedBytes& buffer) {
    sum = plus(sum, buffer.second);
    if (buffer.second > largest.second) largest = buffer;
  };
  for (const BufferSpec& buffer : point.problem.buffers) {
    add({buffer.name, times(buffer.count, size_of(buffer.type))});
  }
  for (const NamedBytes& buffer : scratch) add(buffer);
  if (exceeds(largest.second, limits.max_allocation_bytes)) {
    const auto [wanted, limit] = bytes_texts(largest.second, limits.max_allocation_bytes);
    return fmt::format("device limit: buffer {} takes {}, the device allows {} in one piece", largest.first,
                       wanted, limit);
  }
  if (exceeds(sum, limits.memory_bytes)) {
    const auto [wanted, limit] = bytes_texts(sum, limits.memory_bytes);
    return fmt::format("device limit: buffers of {} together, the device has {}", wanted, limit);
  }
  return {};
}

/// What the kernel's description comes to, against the device. Throws KernelPlanError.
Reason kernel_limits(const LimitCase& point) {
  std::vector<NamedBytes> scratch;
  const auto& kernel = point.variant.kernel;
  const Parameters values = kernel ? with_derived(*kernel, point.given) : point.given;
  Reason reason = requirements(point, point.variant.require, values);
  if (!reason.empty()) return reason;
  if (!kernel) return memory(point, scratch);
  visit_launches(*kernel, values, true, [&](const Occurrence& one) {
    if (reason.empty()) reason = launch_limits(point, one.launch, launch_shape(one.launch, one.values));
  });
  if (!reason.empty()) return reason;
  for (const ScratchSpec& buffer : kernel->scratch)
    scratch.emplace_back(buffer.name, times(scratch_count(buffer, values), size_of(buffer.type)));
  return memory(point, scratch);
}

}  // namespace

Parameters PlanCase::values() const {
  return kernel_values(problem.parameters, problem.layout, tunables, device_values(device));
}

std::string ruled_out_by(const PlanCase& one) {
  const LimitCase point(one);
  for (const auto rule : {element_type, layout, device_kind, tunables}) {
    if (Reason reason = rule(point); !reason.empty()) return reason;
  }
  try {
    return kernel_limits(point);
  } catch (const KernelPlanError& error) {
    return fmt::format("unsupported: {}", error.what());
  }
}

}  // namespace benchctl

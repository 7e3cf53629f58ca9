// The variants of a sweep on its targets, with the axes that each of them has there. Internal to this room.
#pragma once

#include "config/config.hpp"
#include "sweep/targets.hpp"
#include "workloads/workload.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace benchctl {

enum class AxisClass : std::uint8_t { problem, layout, measure, tunable };

[[nodiscard]] AxisClass class_of(const Workload& workload, const std::string& axis);

/// Axes that advance together: one free axis, or those of a zip group that the variant has.
struct Dimension {
  std::vector<const Axis*> axes;
  std::vector<AxisClass> classes;  ///< those of the axes
  /// Places of the values to take: a variant may lack some of the tied axes, and the others then repeat
  /// themselves.
  std::vector<std::size_t> places;
  [[nodiscard]] std::uint32_t length() const { return static_cast<std::uint32_t>(places.size()); }
};

/// A variant on a target, with the dimensions that it has there.
struct Placement {
  const Target* target = nullptr;
  const VariantInfo* variant = nullptr;
  std::vector<Dimension> dimensions;
  SharedParameters tunables;  ///< defaults
  std::string layout;         ///< when no axis says
  Expect expect = Expect::right;
};

/// The values of one combination.
struct Combination {
  SharedParameters problem;  ///< what the axes give, defaults not filled in
  std::string layout;
  SharedParameters tunables;  ///< all of the variant's
  MeasureSettings measure;
};

/// The selected variants of a backend, each once, in the order in which the sweep names them.
[[nodiscard]] std::vector<const VariantInfo*> selected_variants(const Sweep& sweep,
                                                                const BackendEntry& backend);
/// What the sweep says of a variant's results.
[[nodiscard]] Expect expectation(const Sweep& sweep, const std::string& variant);

/// By target, then in the order of selected_variants(). The targets must outlive them.
[[nodiscard]] std::vector<Placement> placements(const Sweep& sweep, const Workload& workload,
                                                const std::vector<Target>& targets);

/// What a placement has before its dimensions say otherwise.
[[nodiscard]] Combination start(const Placement& placement);
/// Gives the axes of a dimension their values at `place`.
void apply(const Dimension& dimension, std::size_t place, Combination& combination);

}  // namespace benchctl

// Rules that tell before anything is compiled that a point cannot run on a device.
#pragma once

#include <benchctl/problem.hpp>

#include "model/point.hpp"
#include "sweep/catalogue.hpp"
#include "workloads/workload.hpp"

#include <string>

namespace benchctl {

/// A point's variant on its device, with its problem.
struct PlanCase {
  const Workload& workload;
  const BackendEntry& backend;
  const VariantInfo& variant;
  const DeviceInfo& device;
  const ProblemSpec& problem;
  const Parameters& tunables;

  /// All that expressions of the variant's description may name: kernel_values().
  [[nodiscard]] Parameters values() const;
};

/// Why the point cannot run, with the numbers, or an empty text. A choice's own rules alone count.
[[nodiscard]] std::string ruled_out_by(const PlanCase& point);

}  // namespace benchctl

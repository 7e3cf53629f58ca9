// Rules that tell before anything is compiled that a point cannot run on a device.
#pragma once

#include <benchctl/problem.hpp>

#include "model/point.hpp"
#include "sweep/catalogue.hpp"

#include <string>

namespace benchctl {

/// Everything that the rules look at. `values` are those of kernel_values().
struct LimitCase {
  const VariantInfo& variant;
  const BackendEntry& backend;
  const DeviceInfo& device;
  const ProblemSpec& problem;
  const Parameters& values;
};

/// Why the point cannot run, with the numbers, or an empty text.
[[nodiscard]] std::string ruled_out_by(const LimitCase& point);

/// `512 KiB`, `1.5 GiB`: bytes for a reason.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace benchctl

// The scalars of a launch as push constants.
#pragma once

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include "compile/spirv.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace benchctl::vulkan {

/// Members and bytes of a block with the scalars in the order of the launch's arguments, each at the next
/// multiple of its size, as GLSL lays them out.
struct PushConstants {
  std::vector<PushMember> members;
  std::vector<std::byte> bytes;  ///< a multiple of 4
};

/// Failure unsupported for a scalar that does not fit its type, or has one that kernels do not take.
[[nodiscard]] PushConstants push_constants(const PlannedLaunch& launch,
                                           const std::vector<ScalarSpec>& scalars);

/// `int at 0, double at 8`; `none`.
[[nodiscard]] std::string to_text(const std::vector<PushMember>& members);

}  // namespace benchctl::vulkan

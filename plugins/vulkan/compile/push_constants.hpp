// The scalars of a launch as push constants, behind the addresses of its buffers where the kernel wants
// those.
#pragma once

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include "compile/spirv.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace benchctl::vulkan {

/// How many buffers the launch has.
[[nodiscard]] std::uint32_t buffers_of(const PlannedLaunch& launch);
/// Does its kernel take their addresses (kernels/kernel.glsl)? Else they are bound.
[[nodiscard]] bool by_address(const PlannedLaunch& launch);

/// Members and bytes of a block with the scalars in the order of the launch's arguments, each at the next
/// multiple of its size, as GLSL lays them out. Addresses are one member before them; their bytes are still
/// 0.
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

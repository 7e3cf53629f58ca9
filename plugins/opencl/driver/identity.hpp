// Names that stay the same from call to call and from backend to backend. Pure functions.
#pragma once

#include "gpu/identity.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::opencl {

/// Short name of a platform: `pocl`, `nvidia`, `intel`, `amd`, `oclgrind`, otherwise the first word of its
/// name.
[[nodiscard]] std::string platform_slug(std::string_view platform_name);

/// The target that PoCL compiles for, as its CL_DEVICE_VERSION tells it: `x86-64-pc-linux-gnu-znver3` of
/// "OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu-znver3". Empty for other drivers.
[[nodiscard]] std::string pocl_target(std::string_view device_version);

/// Slugs of several platforms in order; the second of a kind is called `-2`, and so on.
[[nodiscard]] std::vector<std::string> unique_slugs(const std::vector<std::string>& platform_names);

/// NVIDIA's query gives device and function in one number, as PCI's own `devfn`.
[[nodiscard]] gpu::PciAddress pci_from_nvidia(std::uint32_t domain, std::uint32_t bus, std::uint32_t slot);

}  // namespace benchctl::opencl

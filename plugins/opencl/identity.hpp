// Names that stay the same from call to call and from backend to backend. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::opencl {

/// Lower-case letters, digits and single dashes: `NVIDIA H200` → `nvidia-h200`.
[[nodiscard]] std::string slug(std::string_view text);

/// Short name of a platform: `pocl`, `nvidia`, `intel`, `amd`, `oclgrind`, otherwise the first word of its
/// name.
[[nodiscard]] std::string platform_slug(std::string_view platform_name);

/// Slugs of several platforms in order; the second of a kind is called `-2`, and so on.
[[nodiscard]] std::vector<std::string> unique_slugs(const std::vector<std::string>& platform_names);

/// Address of a PCI function.
struct PciAddress {
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;
};

/// `pci:0000:65:00.0`, the form that every backend uses.
[[nodiscard]] std::string physical_identity(const PciAddress& address);

/// NVIDIA's query gives device and function in one number, as PCI's own `devfn`.
[[nodiscard]] PciAddress pci_from_nvidia(std::uint32_t domain, std::uint32_t bus, std::uint32_t slot);

}  // namespace benchctl::opencl

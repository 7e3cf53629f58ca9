// Names that stay the same from call to call and from backend to backend. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace benchctl::gpu {

/// Lower-case letters, digits and single dashes: `NVIDIA H200` → `nvidia-h200`.
[[nodiscard]] std::string slug(std::string_view text);

/// Address of a PCI function.
struct PciAddress {
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;
};

/// `pci:0000:65:00.0`, the form that every backend uses.
[[nodiscard]] std::string physical_identity(const PciAddress& address);

/// `01234567-89ab-cdef-0123-456789abcdef`: as NVIDIA's tools write it, without their prefix `GPU-`.
[[nodiscard]] std::string uuid_text(const std::array<std::uint8_t, 16>& bytes);

/// For DeviceInfo::properties, `unproven`, of a GPU of that vendor under that backend; empty where results
/// have been published.
[[nodiscard]] std::string unproven(std::string_view vendor, const std::string& backend);

}  // namespace benchctl::gpu

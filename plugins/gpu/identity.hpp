// Names that stay the same from call to call and from backend to backend. Pure functions.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/failure.hpp>

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

/// Smallest step of the time between two stamps of NVIDIA's GPUs, in nanoseconds, whatever a driver claims.
/// Source: the CUDA driver API's reference on cuEventElapsedTime, "a resolution of around 0.5
/// microseconds".
inline constexpr double nvidia_timer_step_ns = 500;

/// The pieces in which NVIDIA's GPUs move memory.
[[nodiscard]] inline MemoryGeometry nvidia_memory(std::uint32_t warp) {
  return {.warp = warp, .sector = 32, .line = 128, .dram = 64, .banks = 32, .bank_bytes = 4};
}

/// `pci:0000:65:00.0`, the form that every backend uses.
[[nodiscard]] std::string physical_identity(const PciAddress& address);

/// `01234567-89ab-cdef-0123-456789abcdef`: as NVIDIA's tools write it, without their prefix `GPU-`.
[[nodiscard]] std::string uuid_text(const std::array<std::uint8_t, 16>& bytes);

/// The device of that id among those found by a backend of this title. Failure no_device that names those
/// there are, or says why there is none. `Found` has `devices`, each with `id`, and `unavailable`.
template <class Found>
[[nodiscard]] const auto& device_of(const Found& found, const std::string& id, const std::string& title) {
  std::string known = found.unavailable;
  for (const auto& device : found.devices) {
    if (device.id == id) return device;
    known += (known.empty() ? "there is " : ", ") + device.id;
  }
  throw Failure(FailureKind::no_device, "no " + title + " device '" + id + "': " + known);
}

/// For DeviceInfo::properties, `unproven`, of a GPU of that vendor under that backend; empty where results
/// have been published.
[[nodiscard]] std::string unproven(std::string_view vendor, const std::string& backend);

}  // namespace benchctl::gpu

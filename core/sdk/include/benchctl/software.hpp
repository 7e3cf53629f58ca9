// Devices that are software on a processor. Include it yourself; plugin.hpp does not.
#pragma once

#include <benchctl/device.hpp>

namespace benchctl {

/// In DeviceInfo::properties, with the value "yes", of a software device, such as a software renderer that
/// stands in for a GPU: good for correctness. It is used only where its backend is named on the command
/// line or the device itself is.
inline constexpr const char* software_property = "software";

/// Is it one?
[[nodiscard]] inline bool is_software(const DeviceInfo& device) {
  return device.properties.contains(software_property);
}

}  // namespace benchctl

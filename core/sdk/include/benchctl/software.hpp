// Marks of devices: software on a processor, and unproven hardware. Include it yourself; plugin.hpp does
// not.
#pragma once

#include <benchctl/device.hpp>

namespace benchctl {

/// In DeviceInfo::properties, with the value "yes", of a software device, such as a software renderer that
/// stands in for a GPU: good for correctness. It is used only where its backend is named on the command
/// line or the device itself is.
inline constexpr const char* software_property = "software";

/// In DeviceInfo::properties of a device of a kind that the plugin has never been shown to work on: what
/// its owner can do about it, in a sentence or two. Reports repeat it.
inline constexpr const char* unproven_property = "unproven";

/// Is it software?
[[nodiscard]] inline bool is_software(const DeviceInfo& device) {
  return device.properties.contains(software_property);
}

}  // namespace benchctl

// What the driver says of a device, in benchctl's words.
#pragma once

#include <benchctl/device.hpp>

#include "platforms.hpp"

namespace benchctl::opencl {

[[nodiscard]] DeviceInfo describe(const FoundDevice& found);

/// What decides whether a compiled program may be used again: device, driver and platform with their
/// versions.
[[nodiscard]] std::string compiler_identity(const FoundDevice& found);

[[nodiscard]] bool is_nvidia(const FoundDevice& found);

}  // namespace benchctl::opencl

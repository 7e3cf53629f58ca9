// What the driver says of a device, in benchctl's words.
#pragma once

#include <benchctl/device.hpp>

#include "driver/platforms.hpp"

namespace benchctl::opencl {

/// The limit of local memory is what the hardware has where that is known, which drivers may refuse
/// (local_memory.hpp).
[[nodiscard]] DeviceInfo describe(const FoundDevice& found);

/// Local memory per group as the driver has it, bytes.
[[nodiscard]] std::uint64_t reported_local_memory(const FoundDevice& found);

/// What decides whether a compiled program may be used again: device, driver and platform with their
/// versions.
[[nodiscard]] std::string compiler_identity(const FoundDevice& found);

[[nodiscard]] bool is_nvidia(const FoundDevice& found);

}  // namespace benchctl::opencl

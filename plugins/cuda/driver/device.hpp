// What the driver says of a GPU, as the host's DeviceInfo.
#pragma once

#include <benchctl/device.hpp>

#include "driver/driver_api.hpp"

#include <string>

namespace benchctl::cuda {

/// Every GPU that the driver shows, in its order; the id is the ordinal.
[[nodiscard]] DeviceList enumerate_devices(const DriverApi& driver);

/// The device of that id. Throws Failure(no_device) that names what is there.
[[nodiscard]] CUdevice find_device(const DriverApi& driver, const std::string& id);

[[nodiscard]] DeviceInfo describe_device(const DriverApi& driver, CUdevice device, const std::string& id);

/// What NVRTC compiles for: `sm_90a` where the architecture-specific set exists and pays (9.0, 10.0),
/// `sm_XX` elsewhere.
[[nodiscard]] std::string architecture_name(int major, int minor);

}  // namespace benchctl::cuda

// Which OpenCL devices there are.
#pragma once

#include "driver/api.hpp"

#include <string>
#include <vector>

namespace benchctl::opencl {

struct FoundDevice {
  std::string id;  ///< `pocl:0`: slug of the platform, position in it
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
};

struct FoundDevices {
  std::vector<FoundDevice> devices;
  std::string unavailable;  ///< why there are none
};

/// All devices of all platforms. A platform that fails does not hide the others; when no device is left,
/// `unavailable` says what each of them answered.
[[nodiscard]] FoundDevices find_devices();

}  // namespace benchctl::opencl

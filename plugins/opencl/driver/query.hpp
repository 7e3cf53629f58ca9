// Asking a device or platform for a property. A property that the driver does not know is not an error: it
// is simply not there.
#pragma once

#include "driver/api.hpp"

#include <optional>
#include <string>

namespace benchctl::opencl {

/// A property of fixed size, or nothing.
template <class T>
[[nodiscard]] std::optional<T> device_property(cl_device_id device, cl_device_info name) {
  T value{};
  if (api().clGetDeviceInfo(device, name, sizeof(T), &value, nullptr) != CL_SUCCESS) return std::nullopt;
  return value;
}

/// A text; empty when the driver has none.
[[nodiscard]] std::string device_text(cl_device_id device, cl_device_info name);
[[nodiscard]] std::string platform_text(cl_platform_id platform, cl_platform_info name);

}  // namespace benchctl::opencl

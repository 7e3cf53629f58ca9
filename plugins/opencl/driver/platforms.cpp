#include "driver/platforms.hpp"

#include "driver/error.hpp"
#include "driver/identity.hpp"
#include "driver/pocl_threads.hpp"
#include "driver/query.hpp"

#include <algorithm>

namespace benchctl::opencl {

namespace {

constexpr const char* no_platform =
    "no OpenCL platform (the loader found no driver; install one, e.g. the package pocl-opencl-icd for the "
    "CPU, or the GPU vendor's)";

}  // namespace

FoundDevices find_devices() {
  FoundDevices found;
  bind_pocl_threads();
  give_pocl_a_cache();
  if (!api_missing().empty()) {
    found.unavailable = api_missing();
    return found;
  }
  cl_uint count = 0;
  cl_int status = api().clGetPlatformIDs(0, nullptr, &count);
  if (status == CL_PLATFORM_NOT_FOUND_KHR || (status == CL_SUCCESS && count == 0)) {
    found.unavailable = no_platform;
    return found;
  }
  std::vector<cl_platform_id> platforms(count);
  if (status == CL_SUCCESS) status = api().clGetPlatformIDs(count, platforms.data(), nullptr);
  if (status != CL_SUCCESS) {
    found.unavailable = "no OpenCL platform (the loader answers " + error_name(status) + ")";
    return found;
  }

  std::vector<std::string> names;
  for (cl_platform_id platform : platforms) names.push_back(platform_text(platform, CL_PLATFORM_NAME));
  const std::vector<std::string> slugs = unique_slugs(names);
  std::string answers;
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    cl_uint devices = 0;
    status = api().clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, nullptr, &devices);
    std::vector<cl_device_id> ids(devices);
    if (status == CL_SUCCESS && devices > 0) {
      status = api().clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, devices, ids.data(), nullptr);
    }
    if (status != CL_SUCCESS || devices == 0) {
      answers += (answers.empty() ? "" : "; ") + names[i] + ": " +
                 error_name(status == CL_SUCCESS ? CL_DEVICE_NOT_FOUND : status);
      continue;
    }
    for (std::size_t d = 0; d < ids.size(); ++d) {
      found.devices.push_back({slugs[i] + ":" + std::to_string(d), platforms[i], ids[d]});
    }
  }
  if (found.devices.empty()) found.unavailable = "no OpenCL device (" + answers + ")";
  return found;
}

}  // namespace benchctl::opencl

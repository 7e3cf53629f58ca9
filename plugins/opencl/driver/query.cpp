#include "driver/query.hpp"

namespace benchctl::opencl {

namespace {

/// `get(bytes, out, needed)` is one of the clGet…Info functions with its first arguments bound.
template <class Get>
std::string text_from(Get get) {
  std::size_t bytes = 0;
  if (get(std::size_t{0}, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
  std::string text(bytes, '\0');
  if (get(bytes, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

}  // namespace

std::string device_text(cl_device_id device, cl_device_info name) {
  return text_from([&](std::size_t bytes, char* out, std::size_t* needed) {
    return api().clGetDeviceInfo(device, name, bytes, out, needed);
  });
}

std::string platform_text(cl_platform_id platform, cl_platform_info name) {
  return text_from([&](std::size_t bytes, char* out, std::size_t* needed) {
    return api().clGetPlatformInfo(platform, name, bytes, out, needed);
  });
}

}  // namespace benchctl::opencl

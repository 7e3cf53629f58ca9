#include "driver/error.hpp"

#include <array>
#include <utility>

namespace benchctl::vulkan {

namespace {

#define BENCHCTL_VULKAN_RESULT(code) \
  std::pair<VkResult, std::string_view> { code, #code }
constexpr std::array result_names{
    BENCHCTL_VULKAN_RESULT(VK_NOT_READY),
    BENCHCTL_VULKAN_RESULT(VK_TIMEOUT),
    BENCHCTL_VULKAN_RESULT(VK_INCOMPLETE),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_INITIALIZATION_FAILED),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_DEVICE_LOST),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_MEMORY_MAP_FAILED),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_LAYER_NOT_PRESENT),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_FEATURE_NOT_PRESENT),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_TOO_MANY_OBJECTS),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_FRAGMENTED_POOL),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_OUT_OF_POOL_MEMORY),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_INVALID_SHADER_NV),
    BENCHCTL_VULKAN_RESULT(VK_ERROR_UNKNOWN),
};
#undef BENCHCTL_VULKAN_RESULT

FailureKind kind_of(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_MEMORY_MAP_FAILED:
      return FailureKind::out_of_memory;
    case VK_ERROR_INCOMPATIBLE_DRIVER:
    case VK_ERROR_INITIALIZATION_FAILED:
      return FailureKind::no_device;
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return FailureKind::unsupported;
    case VK_ERROR_INVALID_SHADER_NV:
      return FailureKind::compile_error;
    default:
      return FailureKind::launch_error;
  }
}

}  // namespace

std::string result_name(VkResult result) {
  const std::string number = std::to_string(static_cast<int>(result));
  for (const auto& [code, name] : result_names) {
    if (code == result) return std::string(name) + " (" + number + ")";
  }
  return "result " + number;
}

void check(VkResult result, std::string_view doing) {
  // Positive results are answers, not errors.
  if (result >= VK_SUCCESS) return;
  throw Failure(kind_of(result), "Vulkan cannot " + std::string(doing) + ": " + result_name(result),
                result == VK_ERROR_DEVICE_LOST);
}

}  // namespace benchctl::vulkan

#include "driver/api.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/shared_library.hpp>

namespace benchctl::vulkan {

namespace {

template <class Function>
void require(Function& function, PFN_vkVoidFunction found, const char* name) {
  function = reinterpret_cast<Function>(found);
  if (function == nullptr) {
    throw Failure(FailureKind::no_device,
                  "the Vulkan driver is older than 1.1: it has no function " + std::string(name));
  }
}

}  // namespace

LoaderApi load_loader(const char* library) {
  LoaderApi api;
  try {
    const SharedLibrary loader("a Vulkan loader", {library});
    if (!loader.find(api.vkGetInstanceProcAddr, "vkGetInstanceProcAddr")) {
      api.missing =
          std::string(library) + " is not a Vulkan loader: it has no function vkGetInstanceProcAddr";
      return api;
    }
  } catch (const LibraryError&) {
    api.missing = "no Vulkan loader (" + std::string(library) +
                  "): install one, on Debian and Ubuntu the package libvulkan1";
    return api;
  }
#define BENCHCTL_VULKAN_FIND(function)                                                                   \
  api.function = reinterpret_cast<PFN_##function>(api.vkGetInstanceProcAddr(VK_NULL_HANDLE, #function)); \
  if (api.function == nullptr) {                                                                         \
    api.missing = "the Vulkan loader is older than 1.1: it has no function " #function;                  \
    return api;                                                                                          \
  }
  BENCHCTL_VULKAN_GLOBAL_FUNCTIONS(BENCHCTL_VULKAN_FIND)
#undef BENCHCTL_VULKAN_FIND
  return api;
}

InstanceApi load_instance(const LoaderApi& loader, VkInstance instance) {
  InstanceApi api;
#define BENCHCTL_VULKAN_FIND(function) \
  require(api.function, loader.vkGetInstanceProcAddr(instance, #function), #function);
  BENCHCTL_VULKAN_INSTANCE_FUNCTIONS(BENCHCTL_VULKAN_FIND)
#undef BENCHCTL_VULKAN_FIND
  for (const char* name : {"vkGetPhysicalDeviceCalibrateableTimeDomainsEXT",
                           "vkGetPhysicalDeviceCalibrateableTimeDomainsKHR"}) {
    if (api.calibrateable_time_domains != nullptr) break;
    api.calibrateable_time_domains = reinterpret_cast<PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>(
        loader.vkGetInstanceProcAddr(instance, name));
  }
  return api;
}

DeviceApi load_device(const InstanceApi& instance, VkDevice device) {
  DeviceApi api;
#define BENCHCTL_VULKAN_FIND(function) \
  require(api.function, instance.vkGetDeviceProcAddr(device, #function), #function);
  BENCHCTL_VULKAN_DEVICE_FUNCTIONS(BENCHCTL_VULKAN_FIND)
#undef BENCHCTL_VULKAN_FIND
  for (const char* name : {"vkGetCalibratedTimestampsEXT", "vkGetCalibratedTimestampsKHR"}) {
    if (api.calibrated_timestamps != nullptr) break;
    api.calibrated_timestamps =
        reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(instance.vkGetDeviceProcAddr(device, name));
  }
  return api;
}

}  // namespace benchctl::vulkan

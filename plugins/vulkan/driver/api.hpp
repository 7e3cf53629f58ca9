// The Vulkan functions in use, found at run time. The plugin is not linked to a loader, so that it can be
// read (its variants, its reason for having no device) on a machine that has none.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <string>

namespace benchctl::vulkan {

#define BENCHCTL_VULKAN_GLOBAL_FUNCTIONS(X) \
  X(vkCreateInstance)                       \
  X(vkEnumerateInstanceVersion)

#define BENCHCTL_VULKAN_INSTANCE_FUNCTIONS(X) \
  X(vkDestroyInstance)                        \
  X(vkEnumeratePhysicalDevices)               \
  X(vkGetPhysicalDeviceProperties2)           \
  X(vkGetPhysicalDeviceFeatures2)             \
  X(vkGetPhysicalDeviceMemoryProperties2)     \
  X(vkGetPhysicalDeviceQueueFamilyProperties) \
  X(vkEnumerateDeviceExtensionProperties)     \
  X(vkCreateDevice)                           \
  X(vkGetDeviceProcAddr)

#define BENCHCTL_VULKAN_DEVICE_FUNCTIONS(X) \
  X(vkDestroyDevice)                        \
  X(vkGetDeviceQueue)                       \
  X(vkQueueSubmit)                          \
  X(vkCreateFence)                          \
  X(vkDestroyFence)                         \
  X(vkResetFences)                          \
  X(vkWaitForFences)                        \
  X(vkGetFenceStatus)                       \
  X(vkAllocateMemory)                       \
  X(vkFreeMemory)                           \
  X(vkMapMemory)                            \
  X(vkCreateBuffer)                         \
  X(vkDestroyBuffer)                        \
  X(vkGetBufferMemoryRequirements)          \
  X(vkBindBufferMemory)                     \
  X(vkCreateShaderModule)                   \
  X(vkDestroyShaderModule)                  \
  X(vkCreateDescriptorSetLayout)            \
  X(vkDestroyDescriptorSetLayout)           \
  X(vkCreatePipelineLayout)                 \
  X(vkDestroyPipelineLayout)                \
  X(vkCreateComputePipelines)               \
  X(vkDestroyPipeline)                      \
  X(vkCreateDescriptorPool)                 \
  X(vkDestroyDescriptorPool)                \
  X(vkAllocateDescriptorSets)               \
  X(vkUpdateDescriptorSets)                 \
  X(vkCreateQueryPool)                      \
  X(vkDestroyQueryPool)                     \
  X(vkGetQueryPoolResults)                  \
  X(vkCreateCommandPool)                    \
  X(vkDestroyCommandPool)                   \
  X(vkAllocateCommandBuffers)               \
  X(vkBeginCommandBuffer)                   \
  X(vkEndCommandBuffer)                     \
  X(vkCmdBindPipeline)                      \
  X(vkCmdBindDescriptorSets)                \
  X(vkCmdPushConstants)                     \
  X(vkCmdDispatch)                          \
  X(vkCmdPipelineBarrier)                   \
  X(vkCmdFillBuffer)                        \
  X(vkCmdCopyBuffer)                        \
  X(vkCmdResetQueryPool)                    \
  X(vkCmdWriteTimestamp)

#define BENCHCTL_VULKAN_MEMBER(function) PFN_##function function = nullptr;
/// What can be called without an instance.
struct LoaderApi {
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
  BENCHCTL_VULKAN_GLOBAL_FUNCTIONS(BENCHCTL_VULKAN_MEMBER)
  /// Why the functions cannot be called; empty when they can.
  std::string missing;
};

struct InstanceApi {
  BENCHCTL_VULKAN_INSTANCE_FUNCTIONS(BENCHCTL_VULKAN_MEMBER)
  /// Null where no driver has it. The KHR extension calls the same KHR.
  PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT calibrateable_time_domains = nullptr;
};

struct DeviceApi {
  BENCHCTL_VULKAN_DEVICE_FUNCTIONS(BENCHCTL_VULKAN_MEMBER)
  /// Null where the device was opened without the extension.
  PFN_vkGetCalibratedTimestampsEXT calibrated_timestamps = nullptr;
};
#undef BENCHCTL_VULKAN_MEMBER

/// Opens the loader of that name.
[[nodiscard]] LoaderApi load_loader(const char* library);
/// Failure no_device that names the function when one is missing.
[[nodiscard]] InstanceApi load_instance(const LoaderApi& loader, VkInstance instance);
[[nodiscard]] DeviceApi load_device(const InstanceApi& instance, VkDevice device);

}  // namespace benchctl::vulkan

// Owners of a device's objects.
#pragma once

#include "driver/api.hpp"
#include "gpu/handle.hpp"

namespace benchctl::vulkan {

/// A device with its functions.
class Device {
 public:
  Device(const InstanceApi& instance, VkDevice raw) : raw_(raw), api_(load_device(instance, raw)) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { api_.vkDestroyDevice(raw_, nullptr); }

  [[nodiscard]] VkDevice get() const noexcept { return raw_; }
  [[nodiscard]] const DeviceApi& api() const noexcept { return api_; }
  /// For handles.
  template <class Member, class T>
  void release(Member member, T raw) const noexcept {
    (api_.*member)(raw_, raw, nullptr);
  }

 private:
  VkDevice raw_;
  DeviceApi api_;
};

using FenceHandle = gpu::Handle<Device, VkFence, &DeviceApi::vkDestroyFence>;
using MemoryHandle = gpu::Handle<Device, VkDeviceMemory, &DeviceApi::vkFreeMemory>;
using BufferHandle = gpu::Handle<Device, VkBuffer, &DeviceApi::vkDestroyBuffer>;
using ShaderHandle = gpu::Handle<Device, VkShaderModule, &DeviceApi::vkDestroyShaderModule>;
using SetLayoutHandle =
    gpu::Handle<Device, VkDescriptorSetLayout, &DeviceApi::vkDestroyDescriptorSetLayout>;
using PipelineLayoutHandle = gpu::Handle<Device, VkPipelineLayout, &DeviceApi::vkDestroyPipelineLayout>;
using PipelineHandle = gpu::Handle<Device, VkPipeline, &DeviceApi::vkDestroyPipeline>;
using DescriptorPoolHandle = gpu::Handle<Device, VkDescriptorPool, &DeviceApi::vkDestroyDescriptorPool>;
using QueryPoolHandle = gpu::Handle<Device, VkQueryPool, &DeviceApi::vkDestroyQueryPool>;
using CommandPoolHandle = gpu::Handle<Device, VkCommandPool, &DeviceApi::vkDestroyCommandPool>;

}  // namespace benchctl::vulkan

// Owners of a device's objects: destroyed once, moved but never copied.
#pragma once

#include "driver/api.hpp"

#include <utility>

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

 private:
  VkDevice raw_;
  DeviceApi api_;
};

/// `Destroy` is the member of DeviceApi that gives an object of type T back. The device outlives it.
template <class T, auto Destroy>
class Handle {
 public:
  Handle() = default;
  Handle(const Device& device, T raw) noexcept : device_(&device), raw_(raw) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& other) noexcept
      : device_(other.device_), raw_(std::exchange(other.raw_, VK_NULL_HANDLE)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Handle() {
    if (raw_ != VK_NULL_HANDLE) (device_->api().*Destroy)(device_->get(), raw_, nullptr);
  }

  [[nodiscard]] T get() const noexcept { return raw_; }
  [[nodiscard]] explicit operator bool() const noexcept { return raw_ != VK_NULL_HANDLE; }

 private:
  const Device* device_ = nullptr;
  T raw_ = VK_NULL_HANDLE;
};

using FenceHandle = Handle<VkFence, &DeviceApi::vkDestroyFence>;
using MemoryHandle = Handle<VkDeviceMemory, &DeviceApi::vkFreeMemory>;
using BufferHandle = Handle<VkBuffer, &DeviceApi::vkDestroyBuffer>;
using ShaderHandle = Handle<VkShaderModule, &DeviceApi::vkDestroyShaderModule>;
using SetLayoutHandle = Handle<VkDescriptorSetLayout, &DeviceApi::vkDestroyDescriptorSetLayout>;
using PipelineLayoutHandle = Handle<VkPipelineLayout, &DeviceApi::vkDestroyPipelineLayout>;
using PipelineHandle = Handle<VkPipeline, &DeviceApi::vkDestroyPipeline>;
using DescriptorPoolHandle = Handle<VkDescriptorPool, &DeviceApi::vkDestroyDescriptorPool>;
using QueryPoolHandle = Handle<VkQueryPool, &DeviceApi::vkDestroyQueryPool>;
using CommandPoolHandle = Handle<VkCommandPool, &DeviceApi::vkDestroyCommandPool>;

}  // namespace benchctl::vulkan

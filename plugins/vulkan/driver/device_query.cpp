#include "driver/device_query.hpp"

#include "driver/error.hpp"

#include <algorithm>

namespace benchctl::vulkan {

namespace {

/// Puts a structure behind the head of a chain.
template <class Head, class Link>
void chain(Head& head, Link& link, VkStructureType type) {
  link.sType = type;
  link.pNext = head.pNext;
  head.pNext = &link;
}

std::vector<std::string> extensions_of(const InstanceApi& api, VkPhysicalDevice device) {
  std::uint32_t count = 0;
  check(api.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr), "count extensions");
  std::vector<VkExtensionProperties> list(count);
  check(api.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, list.data()), "list extensions");
  std::vector<std::string> names;
  for (const VkExtensionProperties& one : list) names.emplace_back(one.extensionName);
  std::ranges::sort(names);
  return names;
}

}  // namespace

DeviceQuery::DeviceQuery(const InstanceApi& api, VkPhysicalDevice device)
    : api_(api),
      device_(device),
      extensions_(extensions_of(api, device)),
      calibration_(find_calibration()) {
  std::uint32_t count = 0;
  api_.vkGetPhysicalDeviceQueueFamilyProperties(device_, &count, nullptr);
  families_.resize(count);
  api_.vkGetPhysicalDeviceQueueFamilyProperties(device_, &count, families_.data());
  ask_properties();
  ask_features();
}

const char* DeviceQuery::find_calibration() const {
  const char* found = nullptr;
  for (const char* name : {"VK_KHR_calibrated_timestamps", VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME}) {
    if (has(name)) found = name;
  }
  if (found == nullptr || api_.calibrateable_time_domains == nullptr) return nullptr;
  std::uint32_t count = 0;
  check(api_.calibrateable_time_domains(device_, &count, nullptr), "count clocks");
  std::vector<VkTimeDomainEXT> clocks(count);
  check(api_.calibrateable_time_domains(device_, &count, clocks.data()), "list clocks");
  const bool both = std::ranges::count(clocks, VK_TIME_DOMAIN_DEVICE_EXT) != 0 &&
                    std::ranges::count(clocks, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT) != 0;
  return both ? found : nullptr;
}

void DeviceQuery::ask_properties() {
  properties_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  chain(properties_, subgroup_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  chain(properties_, identity_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  chain(properties_, allocation_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
  if (has(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)) {
    chain(properties_, driver_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES_KHR);
  }
  if (has(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME)) {
    chain(properties_, float_controls_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES_KHR);
  }
  if (has(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)) {
    chain(properties_, pci_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
  }
  if (has(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
    chain(properties_, nvidia_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
  }
  if (has(VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
    chain(properties_, amd_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD);
  }
  api_.vkGetPhysicalDeviceProperties2(device_, &properties_);
}

void DeviceQuery::ask_features() {
  features_.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  chain(features_.core, features_.storage16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
  if (has(VK_KHR_8BIT_STORAGE_EXTENSION_NAME)) {
    chain(features_.core, features_.storage8, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES_KHR);
  }
  if (has(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME)) {
    chain(features_.core, features_.float16_int8,
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES_KHR);
  }
  if (has(VK_KHR_SHADER_CLOCK_EXTENSION_NAME)) {
    chain(features_.core, features_.clock, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR);
  }
  // NVIDIA's driver (580) compares each access to a storage buffer with the buffer's size, although
  // robustBufferAccess is off, unless this is on.
  if (has(VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME)) {
    chain(features_.core, features_.robustness,
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT);
  }
  api_.vkGetPhysicalDeviceFeatures2(device_, &features_.core);
  // No other features, such as bounds checks of buffers, are wanted.
  const VkPhysicalDeviceFeatures has = features_.core.features;
  features_.core.features = {};
  features_.core.features.shaderFloat64 = has.shaderFloat64;
  features_.core.features.shaderInt64 = has.shaderInt64;
  features_.core.features.shaderInt16 = has.shaderInt16;
}

bool DeviceQuery::has(std::string_view extension) const {
  return std::ranges::binary_search(extensions_, extension);
}

std::optional<VkPhysicalDevicePCIBusInfoPropertiesEXT> DeviceQuery::pci() const {
  if (!has(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)) return std::nullopt;
  return pci_;
}

std::optional<std::uint32_t> DeviceQuery::compute_units() const {
  if (nvidia_.shaderSMCount > 0) return nvidia_.shaderSMCount;
  const std::uint32_t amd =
      amd_.shaderEngineCount * amd_.shaderArraysPerEngineCount * amd_.computeUnitsPerShaderArray;
  if (amd > 0) return amd;
  return std::nullopt;
}

VkPhysicalDeviceMemoryProperties DeviceQuery::memory() const {
  VkPhysicalDeviceMemoryProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
  api_.vkGetPhysicalDeviceMemoryProperties2(device_, &properties);
  return properties.memoryProperties;
}

std::optional<std::uint32_t> DeviceQuery::compute_family() const {
  std::optional<std::uint32_t> drawing;
  for (std::uint32_t i = 0; i < families_.size(); ++i) {
    const VkQueueFlags flags = families_[i].queueFlags;
    if ((flags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    if ((flags & VK_QUEUE_GRAPHICS_BIT) == 0) return i;
    if (!drawing) drawing = i;
  }
  return drawing;
}

std::uint32_t DeviceQuery::timestamp_bits(std::uint32_t family) const {
  return families_.at(family).timestampValidBits;
}

}  // namespace benchctl::vulkan

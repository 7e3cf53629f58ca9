// What a driver answers about a physical device, asked once.
#pragma once

#include "driver/api.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::vulkan {

/// Features for kernels, as a chain whose head is `core`: a device is created with it.
struct Features {
  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDevice16BitStorageFeatures storage16{};
  VkPhysicalDevice8BitStorageFeaturesKHR storage8{};
  VkPhysicalDeviceShaderFloat16Int8FeaturesKHR float16_int8{};
  VkPhysicalDeviceShaderClockFeaturesKHR clock{};
  VkPhysicalDevicePipelineRobustnessFeaturesEXT robustness{};
};

class DeviceQuery {
 public:
  DeviceQuery(const InstanceApi& api, VkPhysicalDevice device);
  DeviceQuery(const DeviceQuery&) = delete;  // the structures point to one another
  DeviceQuery& operator=(const DeviceQuery&) = delete;
  ~DeviceQuery() = default;

  [[nodiscard]] const VkPhysicalDeviceProperties& properties() const { return properties_.properties; }
  [[nodiscard]] std::uint32_t api_version() const { return properties().apiVersion; }
  [[nodiscard]] std::string name() const { return properties().deviceName; }
  /// Empty where the driver has no VK_KHR_driver_properties.
  [[nodiscard]] std::string driver_name() const { return driver_.driverName; }
  [[nodiscard]] std::string driver_info() const { return driver_.driverInfo; }

  /// Sorted.
  [[nodiscard]] const std::vector<std::string>& extensions() const { return extensions_; }
  [[nodiscard]] bool has(std::string_view extension) const;

  [[nodiscard]] const VkPhysicalDeviceSubgroupProperties& subgroup() const { return subgroup_; }
  [[nodiscard]] const VkPhysicalDeviceIDProperties& identity() const { return identity_; }
  [[nodiscard]] const VkPhysicalDeviceMaintenance3Properties& allocation() const { return allocation_; }
  /// All false without VK_KHR_shader_float_controls.
  [[nodiscard]] const VkPhysicalDeviceFloatControlsPropertiesKHR& float_controls() const {
    return float_controls_;
  }
  /// Nothing without VK_EXT_pci_bus_info.
  [[nodiscard]] std::optional<VkPhysicalDevicePCIBusInfoPropertiesEXT> pci() const;
  /// Multiprocessors or compute units, by extensions of NVIDIA and AMD; nothing where there is neither.
  [[nodiscard]] std::optional<std::uint32_t> compute_units() const;
  [[nodiscard]] VkPhysicalDeviceMemoryProperties memory() const;

  /// Those that the device has; others, such as bounds checks of buffers, are off.
  [[nodiscard]] const Features& features() const { return features_; }

  /// The queue family to use: one that only computes before one that also draws. Nothing when none
  /// computes.
  [[nodiscard]] std::optional<std::uint32_t> compute_family() const;
  /// 0: its queues have no time stamps.
  [[nodiscard]] std::uint32_t timestamp_bits(std::uint32_t family) const;

  /// The extension by which time stamps can be read beside the host's CLOCK_MONOTONIC; null: there is none.
  [[nodiscard]] const char* calibration_extension() const { return calibration_; }

 private:
  [[nodiscard]] const char* find_calibration() const;
  void ask_properties();
  void ask_features();

  const InstanceApi& api_;
  VkPhysicalDevice device_;
  std::vector<std::string> extensions_;
  std::vector<VkQueueFamilyProperties> families_;
  const char* calibration_;
  VkPhysicalDeviceProperties2 properties_{};
  VkPhysicalDeviceSubgroupProperties subgroup_{};
  VkPhysicalDeviceIDProperties identity_{};
  VkPhysicalDeviceMaintenance3Properties allocation_{};
  VkPhysicalDeviceDriverPropertiesKHR driver_{};
  VkPhysicalDeviceFloatControlsPropertiesKHR float_controls_{};
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci_{};
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV nvidia_{};
  VkPhysicalDeviceShaderCorePropertiesAMD amd_{};
  Features features_;
};

}  // namespace benchctl::vulkan

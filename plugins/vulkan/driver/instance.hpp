// The Vulkan instance of a process, and the devices that it finds.
#pragma once

#include "driver/api.hpp"

#include <memory>
#include <string>
#include <vector>

namespace benchctl::vulkan {

class Instance {
 public:
  /// Failure no_device with the reason when there is no loader or no driver.
  Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  [[nodiscard]] const InstanceApi& api() const { return api_; }
  [[nodiscard]] VkInstance get() const { return instance_; }

 private:
  VkInstance instance_ = nullptr;
  InstanceApi api_;
};

/// A physical device; it is the instance's.
struct FoundDevice {
  std::string id;  ///< driver and number: `nvidia:0`, `llvmpipe:0`
  VkPhysicalDevice device = nullptr;
};

struct FoundDevices {
  std::vector<FoundDevice> devices;
  std::string unavailable;  ///< why there is none; else empty
};

/// Devices of Vulkan 1.1 and up that can compute.
[[nodiscard]] FoundDevices find_devices(const Instance& instance);

}  // namespace benchctl::vulkan

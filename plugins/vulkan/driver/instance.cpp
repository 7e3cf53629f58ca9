#include "driver/instance.hpp"

#include "gpu/identity.hpp"

#include "driver/device_query.hpp"
#include "driver/error.hpp"

#include <map>
#include <utility>

namespace benchctl::vulkan {

namespace {

constexpr std::uint32_t least_version = VK_API_VERSION_1_1;

const LoaderApi& process_loader() {
  static const LoaderApi loader = load_loader("libvulkan.so.1");
  return loader;
}

std::string version_text(std::uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
         std::to_string(VK_API_VERSION_MINOR(version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(version));
}

/// The first word of the driver's name: `nvidia`, `radv`, `llvmpipe`; without one, of the device's.
std::string driver_word(const InstanceApi& api, VkPhysicalDevice device) {
  const DeviceQuery query(api, device);
  const std::string name = gpu::slug(query.driver_name().empty() ? query.name() : query.driver_name());
  const std::string word = name.substr(0, name.find('-'));
  return word.empty() ? "device" : word;
}

}  // namespace

Instance::Instance() {
  const LoaderApi& loader = process_loader();
  if (!loader.missing.empty()) throw Failure(FailureKind::no_device, loader.missing);
  std::uint32_t version = 0;
  check(loader.vkEnumerateInstanceVersion(&version), "ask the loader for its version");
  if (version < least_version) {
    throw Failure(FailureKind::no_device,
                  "the Vulkan loader is of version " + version_text(version) + "; 1.1 is needed");
  }
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .pNext = nullptr,
                                      .pApplicationName = "benchctl",
                                      .applicationVersion = 0,
                                      .pEngineName = nullptr,
                                      .engineVersion = 0,
                                      .apiVersion = least_version};
  const VkInstanceCreateInfo create{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pNext = nullptr,
                                    .flags = 0,
                                    .pApplicationInfo = &application,
                                    .enabledLayerCount = 0,
                                    .ppEnabledLayerNames = nullptr,
                                    .enabledExtensionCount = 0,
                                    .ppEnabledExtensionNames = nullptr};
  const VkResult result = loader.vkCreateInstance(&create, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    throw Failure(FailureKind::no_device,
                  "no Vulkan driver (the loader found none: install the GPU vendor's, or the package "
                  "mesa-vulkan-drivers, which has one for the CPU)");
  }
  check(result, "create an instance");
  api_ = load_instance(loader, instance_);
}

Instance::~Instance() {
  if (api_.vkDestroyInstance != nullptr) api_.vkDestroyInstance(instance_, nullptr);
}

FoundDevices find_devices(const Instance& instance) {
  const InstanceApi& api = instance.api();
  std::uint32_t count = 0;
  check(api.vkEnumeratePhysicalDevices(instance.get(), &count, nullptr), "count devices");
  std::vector<VkPhysicalDevice> devices(count);
  check(api.vkEnumeratePhysicalDevices(instance.get(), &count, devices.data()), "list devices");
  FoundDevices found;
  std::string refused;
  std::map<std::string, int> numbers;
  for (VkPhysicalDevice device : devices) {
    const DeviceQuery query(api, device);
    std::string objection;
    if (query.api_version() < least_version) {
      objection = "has Vulkan " + version_text(query.api_version()) + "; 1.1 is needed";
    } else if (!query.compute_family()) {
      objection = "has no queue that computes";
    }
    if (objection.empty()) {
      const std::string word = driver_word(api, device);
      found.devices.push_back({word + ":" + std::to_string(numbers[word]++), device});
    } else {
      refused += (refused.empty() ? "" : "; ") + query.name() + " " + objection;
    }
  }
  if (found.devices.empty()) {
    found.unavailable = "no Vulkan device (" + (refused.empty() ? "the drivers show none" : refused) + ")";
  }
  return found;
}

}  // namespace benchctl::vulkan

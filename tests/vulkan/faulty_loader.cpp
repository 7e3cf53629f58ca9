// Stands in front of the Vulkan loader BENCHCTL_TEST_VULKAN_LOADER and lets one function fail.
// BENCHCTL_TEST_VULKAN_FAULT has its name, its result, and which call is the first to fail:
// `vkQueueSubmit -4 30`.
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <dlfcn.h>

#include <cstdlib>
#include <sstream>
#include <string>

namespace {

struct Fault {
  std::string function;
  int result = 0;
  int first = 1;
};

const Fault& fault() {
  static const Fault wanted = [] {
    Fault read;
    const char* text = std::getenv("BENCHCTL_TEST_VULKAN_FAULT");
    std::istringstream(text == nullptr ? "" : text) >> read.function >> read.result >> read.first;
    return read;
  }();
  return wanted;
}

/// The backend calls from one thread.
bool fails_now() {
  static int calls = 0;
  return ++calls >= fault().first;
}

PFN_vkGetDeviceProcAddr real_functions = nullptr;
PFN_vkQueueSubmit real_submit = nullptr;
PFN_vkAllocateMemory real_allocate = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo* infos,
                                      VkFence fence) {
  if (fails_now()) return static_cast<VkResult>(fault().result);
  return real_submit(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
  if (fails_now()) return static_cast<VkResult>(fault().result);
  return real_allocate(device, info, callbacks, memory);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL function_of_device(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = real_functions(device, name);
  if (fault().function != name) return real;
  if (fault().function == "vkQueueSubmit") {
    real_submit = reinterpret_cast<PFN_vkQueueSubmit>(real);
    return reinterpret_cast<PFN_vkVoidFunction>(&submit);
  }
  if (fault().function == "vkAllocateMemory") {
    real_allocate = reinterpret_cast<PFN_vkAllocateMemory>(real);
    return reinterpret_cast<PFN_vkVoidFunction>(&allocate);
  }
  return real;
}

PFN_vkGetInstanceProcAddr real_loader() {
  const char* path = std::getenv("BENCHCTL_TEST_VULKAN_LOADER");
  void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
}

}  // namespace

extern "C" VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                          const char* name) {
  static const PFN_vkGetInstanceProcAddr real = real_loader();
  if (real == nullptr) return nullptr;
  const PFN_vkVoidFunction found = real(instance, name);
  if (std::string(name) != "vkGetDeviceProcAddr") return found;
  real_functions = reinterpret_cast<PFN_vkGetDeviceProcAddr>(found);
  return reinterpret_cast<PFN_vkVoidFunction>(&function_of_device);
}

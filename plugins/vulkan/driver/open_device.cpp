#include "driver/open_device.hpp"

#include "driver/device_info.hpp"
#include "driver/error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

namespace benchctl::vulkan {

namespace {

/// Extensions that features and execution modes of kernels belong to.
constexpr std::array wanted_extensions{
    VK_KHR_8BIT_STORAGE_EXTENSION_NAME, VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME,
    VK_KHR_SHADER_CLOCK_EXTENSION_NAME, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME,
    VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME};

/// So long the host looks again and again whether the work has ended. Then it sleeps until it is woken,
/// which takes as much as a short kernel.
constexpr auto looking = std::chrono::milliseconds(20);

constexpr std::uint64_t up_to_words(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

}  // namespace

OpenDevice::OpenDevice(std::shared_ptr<const Instance> instance, const FoundDevice& found,
                       SessionOptions options)
    : instance_(std::move(instance)),
      found_(found),
      query_(instance_->api(), found.device),
      info_(describe(query_, found.id)),
      options_(std::move(options)),
      family_(query_.compute_family().value()),
      memory_(query_.memory()),
      device_(instance_->api(), create_device()) {
  if (info_.vendor == "NVIDIA" && info_.properties.contains("pci")) {
    clock_hold_.emplace(info_.properties.at("pci"));
  }
  api().vkGetDeviceQueue(device_.get(), family_, 0, &queue_);
  const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                     .queueFamilyIndex = family_};
  VkCommandPool raw_pool = VK_NULL_HANDLE;
  check(api().vkCreateCommandPool(device_.get(), &pool, nullptr, &raw_pool), "make a command pool");
  pool_ = CommandPoolHandle(device_, raw_pool);
  const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = nullptr, .flags = 0};
  VkFence raw_fence = VK_NULL_HANDLE;
  check(api().vkCreateFence(device_.get(), &fence, nullptr, &raw_fence), "make a fence");
  fence_ = FenceHandle(device_, raw_fence);
}

VkDevice OpenDevice::create_device() const {
  std::vector<const char*> extensions;
  for (const char* name : wanted_extensions) {
    if (query_.has(name)) extensions.push_back(name);
  }
  if (query_.calibration_extension() != nullptr) extensions.push_back(query_.calibration_extension());
  constexpr float priority = 1;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .pNext = nullptr,
                                      .flags = 0,
                                      .queueFamilyIndex = family_,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  const VkDeviceCreateInfo create{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &query_.features().core,
                                  .flags = 0,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue,
                                  .enabledLayerCount = 0,
                                  .ppEnabledLayerNames = nullptr,
                                  .enabledExtensionCount = static_cast<std::uint32_t>(extensions.size()),
                                  .ppEnabledExtensionNames = extensions.data(),
                                  .pEnabledFeatures = nullptr};
  VkDevice device = nullptr;
  check(instance_->api().vkCreateDevice(found_.device, &create, nullptr, &device), "open " + info_.name);
  return device;
}

std::optional<ClockReading> OpenDevice::read_clocks() const {
  if (query_.calibration_extension() == nullptr || api().calibrated_timestamps == nullptr) {
    return std::nullopt;
  }
  std::array<VkCalibratedTimestampInfoEXT, 2> clocks{};
  for (VkCalibratedTimestampInfoEXT& clock : clocks) {
    clock.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT;
  }
  clocks[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
  clocks[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  std::array<std::uint64_t, 2> values{};
  ClockReading reading;
  check(api().calibrated_timestamps(device_.get(), 2, clocks.data(), values.data(), &reading.deviation_ns),
        "read the clocks of device and host");
  reading.ticks = values[0];
  reading.host_ns = values[1];
  return reading;
}

void OpenDevice::submit(const Commands& commands) const {
  VkFence fence = fence_.get();
  VkCommandBuffer buffer = commands.get();
  const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .pNext = nullptr,
                            .waitSemaphoreCount = 0,
                            .pWaitSemaphores = nullptr,
                            .pWaitDstStageMask = nullptr,
                            .commandBufferCount = 1,
                            .pCommandBuffers = &buffer,
                            .signalSemaphoreCount = 0,
                            .pSignalSemaphores = nullptr};
  check(api().vkQueueSubmit(queue_, 1, &submit, fence), "submit commands");
  wait();
  check(api().vkResetFences(device_.get(), 1, &fence), "reset a fence");
}

void OpenDevice::wait() const {
  VkFence fence = fence_.get();
  const auto start = std::chrono::steady_clock::now();
  VkResult result = VK_NOT_READY;
  // A processor that stands in for a GPU does the work itself, and is not to be kept from it.
  while (result == VK_NOT_READY && info_.type != DeviceType::cpu &&
         std::chrono::steady_clock::now() - start < looking) {
    result = api().vkGetFenceStatus(device_.get(), fence);
  }
  if (result == VK_NOT_READY) {
    result =
        api().vkWaitForFences(device_.get(), 1, &fence, VK_TRUE, std::numeric_limits<std::uint64_t>::max());
  }
  check(result, "finish the submitted work");
}

VkCommandBuffer OpenDevice::take_command_buffer() const {
  VkCommandBuffer buffer = nullptr;
  if (!spare_.empty()) {
    buffer = spare_.back();
    spare_.pop_back();
    return buffer;
  }
  const VkCommandBufferAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .pNext = nullptr,
                                             .commandPool = pool_.get(),
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
  check(api().vkAllocateCommandBuffers(device_.get(), &allocate, &buffer), "make a command buffer");
  return buffer;
}

std::optional<std::uint32_t> OpenDevice::memory_type(std::uint32_t allowed,
                                                     VkMemoryPropertyFlags flags) const {
  for (std::uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
    if ((allowed >> i & 1U) != 0 && (memory_.memoryTypes[i].propertyFlags & flags) == flags) return i;
  }
  return std::nullopt;
}

Buffer OpenDevice::make_buffer(std::uint64_t bytes, const std::string& what, bool on_host) const {
  const auto refuse = [&](const std::string& why) {
    throw Failure(FailureKind::out_of_memory,
                  "cannot allocate " + std::to_string(bytes) + " bytes " +
                      (on_host ? "of host memory for " : "for ") + what + " on " + info_.name + " (" +
                      std::to_string(info_.limits.memory_bytes) + " bytes of memory, " +
                      std::to_string(info_.limits.max_allocation_bytes) +
                      " at most in one buffer): " + why);
  };
  Buffer buffer;
  // Vulkan has no empty buffers, and fills them by words.
  buffer.bytes = std::max<std::uint64_t>(up_to_words(bytes), 4);
  if (!on_host && buffer.bytes > info_.limits.max_allocation_bytes) refuse("more than one buffer may have");
  const VkBufferCreateInfo create{
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .pNext = nullptr,
      .flags = 0,
      .size = buffer.bytes,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
      .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
      .queueFamilyIndexCount = 0,
      .pQueueFamilyIndices = nullptr};
  VkBuffer raw = VK_NULL_HANDLE;
  VkResult result = api().vkCreateBuffer(device_.get(), &create, nullptr, &raw);
  if (result != VK_SUCCESS) refuse(result_name(result));
  buffer.handle = BufferHandle(device_, raw);
  VkMemoryRequirements needs{};
  api().vkGetBufferMemoryRequirements(device_.get(), raw, &needs);
  constexpr VkMemoryPropertyFlags shared =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  auto type = memory_type(needs.memoryTypeBits,
                          on_host ? shared | VK_MEMORY_PROPERTY_HOST_CACHED_BIT
                                  : VkMemoryPropertyFlags{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT});
  if (!type) type = memory_type(needs.memoryTypeBits, on_host ? shared : VkMemoryPropertyFlags{0});
  if (!type) refuse("the driver has no memory of that kind");
  const VkMemoryAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                      .pNext = nullptr,
                                      .allocationSize = needs.size,
                                      .memoryTypeIndex = *type};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  result = api().vkAllocateMemory(device_.get(), &allocate, nullptr, &memory);
  if (result != VK_SUCCESS) refuse(result_name(result));
  buffer.memory = MemoryHandle(device_, memory);
  check(api().vkBindBufferMemory(device_.get(), raw, memory, 0), "bind memory to a buffer");
  if (on_host) {
    void* address = nullptr;
    result = api().vkMapMemory(device_.get(), memory, 0, VK_WHOLE_SIZE, 0, &address);
    if (result != VK_SUCCESS) refuse(result_name(result));
    buffer.mapped = static_cast<std::byte*>(address);
  }
  return buffer;
}

Buffer OpenDevice::allocate(std::uint64_t bytes, const std::string& what) const {
  Buffer buffer = make_buffer(bytes, what, false);
  Commands commands(*this);
  commands.fill(buffer, 0, buffer.bytes, std::byte{0});
  commands.end();
  submit(commands);
  return buffer;
}

Buffer OpenDevice::allocate_host(std::uint64_t bytes, const std::string& what) const {
  return make_buffer(bytes, what, true);
}

}  // namespace benchctl::vulkan

#include "driver/commands.hpp"

#include "driver/error.hpp"
#include "driver/open_device.hpp"

namespace benchctl::vulkan {

namespace {

constexpr VkPipelineStageFlags device_stages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

/// What `to` does later sees what `from` has written.
void separate(const DeviceApi& api, VkCommandBuffer commands, VkPipelineStageFlags from,
              VkPipelineStageFlags to) {
  const auto access = [](VkPipelineStageFlags stages, VkAccessFlags shader, VkAccessFlags transfer,
                         VkAccessFlags host) {
    return ((stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0 ? shader : 0) |
           ((stages & VK_PIPELINE_STAGE_TRANSFER_BIT) != 0 ? transfer : 0) |
           ((stages & VK_PIPELINE_STAGE_HOST_BIT) != 0 ? host : 0);
  };
  const VkMemoryBarrier memory{
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .pNext = nullptr,
      .srcAccessMask = access(from, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, 0),
      .dstAccessMask =
          access(to, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_UNIFORM_READ_BIT,
                 VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT)};
  api.vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

}  // namespace

Commands::Commands(const OpenDevice& device)
    : device_(device), raw_(device.take_command_buffer()), stage_(device_stages) {
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .pNext = nullptr,
                                       .flags = 0,
                                       .pInheritanceInfo = nullptr};
  const VkResult result = device_.api().vkBeginCommandBuffer(raw_, &begin);
  if (result == VK_SUCCESS) return;
  device_.give_command_buffer(raw_);
  check(result, "begin a command buffer");
}

Commands::~Commands() { device_.give_command_buffer(raw_); }

void Commands::begin(VkPipelineStageFlagBits stage) {
  // Another stage than before is always kept apart, so that what follows a barrier is all of one stage.
  if (apart_ || stage_ != VkPipelineStageFlags{stage}) separate(device_.api(), raw_, stage_, stage);
  stage_ = stage;
  apart_ = false;
}

bool Commands::binds(VkPipeline pipeline, VkDescriptorSet set) {
  if (pipeline == pipeline_ && set == set_) return false;
  pipeline_ = pipeline;
  set_ = set;
  return true;
}

void Commands::fill(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::byte value) {
  if (bytes == 0) return;
  begin(VK_PIPELINE_STAGE_TRANSFER_BIT);
  const auto word = std::to_integer<std::uint32_t>(value) * 0x01010101U;
  device_.api().vkCmdFillBuffer(raw_, buffer.handle.get(), offset, bytes, word);
}

void Commands::copy(const Buffer& from, std::uint64_t from_offset, const Buffer& to,
                    std::uint64_t to_offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  begin(VK_PIPELINE_STAGE_TRANSFER_BIT);
  const VkBufferCopy region{.srcOffset = from_offset, .dstOffset = to_offset, .size = bytes};
  device_.api().vkCmdCopyBuffer(raw_, from.handle.get(), to.handle.get(), 1, &region);
}

void Commands::end() {
  separate(device_.api(), raw_, stage_, VK_PIPELINE_STAGE_HOST_BIT);
  check(device_.api().vkEndCommandBuffer(raw_), "end a command buffer");
}

}  // namespace benchctl::vulkan

// What is recorded for a queue, with the barriers that it needs.
#pragma once

#include "driver/api.hpp"

#include <cstddef>
#include <cstdint>

namespace benchctl::vulkan {

struct Buffer;
class OpenDevice;

/// Commands that are recorded once and submitted as often as one likes.
class Commands {
 public:
  /// Begins to record. What is recorded first sees what was submitted before.
  explicit Commands(const OpenDevice& device);
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;
  ~Commands();

  [[nodiscard]] VkCommandBuffer get() const { return raw_; }
  /// What follows sees what all commands before have written. It is recorded when something follows,
  /// between the two stages alone: a barrier of more stages has more to wait for.
  void barrier() { apart_ = true; }
  /// Call it before a command of that stage.
  void begin(VkPipelineStageFlagBits stage);
  /// Is this kernel not yet bound, with these buffers? From now on it is.
  [[nodiscard]] bool binds(VkPipeline pipeline, VkDescriptorSet set);
  /// Whole words: `offset` and `bytes` are multiples of 4.
  void fill(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::byte value);
  void copy(const Buffer& from, std::uint64_t from_offset, const Buffer& to, std::uint64_t to_offset,
            std::uint64_t bytes);
  /// Ends recording; afterwards they can be submitted. The host then sees what they wrote.
  void end();

 private:
  const OpenDevice& device_;
  VkCommandBuffer raw_;
  VkPipelineStageFlags
      stage_;  ///< stage of the latest command; before the first one of whatever was submitted
  bool apart_ = true;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

}  // namespace benchctl::vulkan

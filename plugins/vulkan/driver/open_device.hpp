// A device that is in use: its queue and its memory.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/clock_hold.hpp"
#include "driver/commands.hpp"
#include "driver/device_query.hpp"
#include "driver/handles.hpp"
#include "driver/instance.hpp"
#include "measure/stamps.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace benchctl::vulkan {

/// A buffer with memory of its own.
struct Buffer {
  MemoryHandle memory;
  BufferHandle handle;          ///< destroyed before its memory
  std::byte* mapped = nullptr;  ///< where the host sees it; null for memory of the device alone
  std::uint64_t bytes = 0;

  [[nodiscard]] std::byte* host() const noexcept { return mapped; }
};

class OpenDevice {
 public:
  /// Failure of the kind that fits when the driver refuses.
  OpenDevice(std::shared_ptr<const Instance> instance, const FoundDevice& found, SessionOptions options);
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;
  ~OpenDevice() = default;

  [[nodiscard]] const DeviceQuery& query() const { return query_; }
  [[nodiscard]] const DeviceInfo& info() const { return info_; }
  [[nodiscard]] const SessionOptions& options() const { return options_; }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] const DeviceApi& api() const { return device_.api(); }
  /// For commands: buffers go from one to the next, which spares making them.
  [[nodiscard]] VkCommandBuffer take_command_buffer() const;
  void give_command_buffer(VkCommandBuffer buffer) const { spare_.push_back(buffer); }
  /// Bits of a time stamp that count; 0: there are none.
  [[nodiscard]] std::uint32_t timestamp_bits() const { return query_.timestamp_bits(family_); }

  /// Nothing where the driver cannot read both clocks.
  [[nodiscard]] std::optional<ClockReading> read_clocks() const;

  /// Submits recorded commands and waits for their end. Failure, sticky when the device is lost.
  void submit(const Commands& commands) const;

  /// Memory of the device, filled with zeros. Failure out_of_memory that names `what` and the bytes.
  [[nodiscard]] Buffer allocate(std::uint64_t bytes, const std::string& what) const;
  /// Memory of the host that the device reaches, mapped.
  [[nodiscard]] Buffer allocate_host(std::uint64_t bytes, const std::string& what) const;

 private:
  [[nodiscard]] VkDevice create_device() const;
  [[nodiscard]] Buffer make_buffer(std::uint64_t bytes, const std::string& what, bool on_host) const;
  /// The first type of memory that has all of `flags`; nothing when there is none.
  [[nodiscard]] std::optional<std::uint32_t> memory_type(std::uint32_t allowed,
                                                         VkMemoryPropertyFlags flags) const;
  void wait() const;

  std::shared_ptr<const Instance> instance_;
  FoundDevice found_;
  DeviceQuery query_;
  DeviceInfo info_;
  SessionOptions options_;
  std::optional<ClockHold> clock_hold_;  ///< for NVIDIA's cards
  std::uint32_t family_;
  VkPhysicalDeviceMemoryProperties memory_;
  Device device_;
  VkQueue queue_ = nullptr;
  CommandPoolHandle pool_;
  mutable std::vector<VkCommandBuffer> spare_;  ///< they are the pool's
  FenceHandle fence_;
};

}  // namespace benchctl::vulkan

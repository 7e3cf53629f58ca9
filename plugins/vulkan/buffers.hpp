// The buffers of one problem, in several sets.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/open_device.hpp"

#include <memory>
#include <vector>

namespace benchctl::vulkan {

class Buffers {
 public:
  /// Failure out_of_memory with the bytes that were asked for.
  Buffers(const OpenDevice& device, const ProblemRequest& request);

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  [[nodiscard]] std::uint32_t sets() const { return static_cast<std::uint32_t>(sets_.size()); }
  /// On the device, or in pinned host memory. Failure unsupported for one in pageable memory, which no
  /// device reaches.
  [[nodiscard]] const Buffer& get(std::uint32_t set, std::size_t buffer) const;

  /// Return when all is there. Failure launch_error for a range outside the buffer.
  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) const;
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::span<std::byte> bytes) const;
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) const;

 private:
  /// One of the two holds the buffer.
  struct Memory {
    Buffer buffer;
    std::unique_ptr<std::byte[]> pageable;
  };

  [[nodiscard]] Memory place(const BufferSpec& buffer, std::uint64_t bytes) const;
  /// Where the host sees a range of a buffer; empty for one on the device.
  [[nodiscard]] std::span<std::byte> host_range(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                                                std::uint64_t bytes) const;

  const OpenDevice& device_;
  ProblemSpec spec_;
  std::vector<std::uint64_t> allocation_;
  std::vector<std::vector<Memory>> sets_;
};

}  // namespace benchctl::vulkan

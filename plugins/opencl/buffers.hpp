// The buffers of one problem, in several sets.
#pragma once

#include <benchctl/backend.hpp>

#include "open_device.hpp"

namespace benchctl::opencl {

class Buffers {
 public:
  /// Failure out_of_memory with the bytes that were asked for; unsupported for host memory.
  Buffers(const OpenDevice& device, const ProblemRequest& request);

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  [[nodiscard]] std::uint32_t sets() const { return static_cast<std::uint32_t>(sets_.size()); }
  [[nodiscard]] cl_mem get(std::uint32_t set, std::size_t buffer) const;

  /// Copies in the queue; the host bytes must stay until it is finished.
  void enqueue_write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                     std::span<const std::byte> bytes) const;
  void enqueue_read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                    std::span<std::byte> bytes) const;
  void enqueue_fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
                    std::byte value) const;

 private:
  const OpenDevice& device_;
  ProblemSpec spec_;
  std::vector<std::vector<BufferHandle>> sets_;
};

}  // namespace benchctl::opencl

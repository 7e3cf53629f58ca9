// The buffers of one problem, in several sets.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/open_device.hpp"

#include <memory>

namespace benchctl::opencl {

/// A buffer of the driver that stays mapped: host memory which the device reaches by itself, where the
/// driver has such a thing.
class MappedMemory {
 public:
  MappedMemory() = default;
  /// Failure out_of_memory that names `what` and the bytes.
  MappedMemory(const OpenDevice& device, std::uint64_t bytes, const std::string& what);
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;
  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory& operator=(MappedMemory&& other) = delete;
  ~MappedMemory();

  [[nodiscard]] std::byte* get() const { return pointer_; }

 private:
  const OpenDevice* device_ = nullptr;
  BufferHandle buffer_;
  std::byte* pointer_ = nullptr;
};

class Buffers {
 public:
  /// Failure out_of_memory with the bytes that were asked for.
  Buffers(const OpenDevice& device, const ProblemRequest& request);

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  [[nodiscard]] std::uint32_t sets() const { return static_cast<std::uint32_t>(sets_.size()); }
  /// A buffer on the device. Failure unsupported for one in host memory.
  [[nodiscard]] cl_mem get(std::uint32_t set, std::size_t buffer) const;
  /// Where a buffer in host memory starts. Failure unsupported for one on the device.
  [[nodiscard]] std::byte* host(std::uint32_t set, std::size_t buffer) const;

  /// Return when all is there.
  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) const {
    enqueue_write(set, buffer, offset, bytes);
    device_.finish();
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::span<std::byte> bytes) const {
    enqueue_read(set, buffer, offset, bytes);
    device_.finish();
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) const;
  /// Copies in the queue; the host bytes must stay until it is finished. Host memory is touched at once,
  /// with an empty queue.
  void enqueue_write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                     std::span<const std::byte> bytes) const;
  void enqueue_read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                    std::span<std::byte> bytes) const;

 private:
  /// Exactly one of the three holds the buffer.
  struct Memory {
    BufferHandle device;
    MappedMemory pinned;
    std::unique_ptr<std::byte[]> pageable;
  };

  [[nodiscard]] Memory place(const BufferSpec& buffer, std::uint64_t bytes) const;
  /// Failure launch_error for a range outside the buffer: a driver may crash of it.
  void check_range(std::size_t buffer, std::uint64_t offset, std::uint64_t bytes) const;
  /// Bytes of a buffer in host memory.
  [[nodiscard]] std::span<std::byte> host_range(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                                                std::uint64_t bytes) const;
  [[nodiscard]] bool in_host_memory(std::size_t buffer) const {
    return spec_.buffers.at(buffer).space != Space::device;
  }

  const OpenDevice& device_;
  ProblemSpec spec_;
  std::vector<std::uint64_t> allocation_;
  std::vector<std::vector<Memory>> sets_;
};

}  // namespace benchctl::opencl

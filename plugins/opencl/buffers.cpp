#include "buffers.hpp"

#include "driver/error.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace benchctl::opencl {

MappedMemory::MappedMemory(const OpenDevice& device, std::uint64_t bytes, const std::string& what)
    : device_(&device) {
  const std::size_t size = std::max<std::uint64_t>(bytes, 1);
  cl_int status = CL_SUCCESS;
  const auto check_memory = [&] {
    if (status == CL_SUCCESS) return;
    throw Failure(FailureKind::out_of_memory, "cannot allocate " + std::to_string(bytes) +
                                                  " bytes of host memory for " + what + " with " +
                                                  device.info.name + ": " + error_name(status));
  };
  buffer_ = BufferHandle(api().clCreateBuffer(
      device.context.get(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, nullptr, &status));
  check_memory();
  pointer_ = static_cast<std::byte*>(api().clEnqueueMapBuffer(device.queue.get(), buffer_.get(), CL_TRUE,
                                                              CL_MAP_READ | CL_MAP_WRITE, 0, size, 0,
                                                              nullptr, nullptr, &status));
  check_memory();
}

MappedMemory::MappedMemory(MappedMemory&& other) noexcept
    : device_(other.device_),
      buffer_(std::move(other.buffer_)),
      pointer_(std::exchange(other.pointer_, nullptr)) {}

MappedMemory::~MappedMemory() {
  if (pointer_ == nullptr) return;
  // A failure leaves nothing to be done.
  static_cast<void>(
      api().clEnqueueUnmapMemObject(device_->queue.get(), buffer_.get(), pointer_, 0, nullptr, nullptr));
  static_cast<void>(api().clFinish(device_->queue.get()));
}

Buffers::Buffers(const OpenDevice& device, const ProblemRequest& request)
    : device_(device), spec_(request.spec), allocation_(request.allocation) {
  for (std::uint32_t set = 0; set < request.sets; ++set) {
    std::vector<Memory>& memory = sets_.emplace_back();
    for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
      memory.push_back(place(spec_.buffers[i], allocation_.at(i)));
    }
  }
}

Buffers::Memory Buffers::place(const BufferSpec& buffer, std::uint64_t bytes) const {
  const std::string what = "buffer '" + buffer.name + "'";
  if (buffer.space == Space::device) return {device_.allocate(bytes, what), {}, {}};
  if (buffer.space == Space::host_pinned) return {{}, MappedMemory(device_, bytes, what), {}};
  try {
    return {{}, {}, std::make_unique<std::byte[]>(std::max<std::uint64_t>(bytes, 1))};
  } catch (const std::bad_alloc&) {
    throw Failure(FailureKind::out_of_memory,
                  "cannot allocate " + std::to_string(bytes) + " bytes of host memory for " + what);
  }
}

cl_mem Buffers::get(std::uint32_t set, std::size_t buffer) const {
  if (in_host_memory(buffer)) {
    throw Failure(FailureKind::unsupported, "buffer '" + spec_.buffers[buffer].name + "' lives in " +
                                                std::string(to_string(spec_.buffers[buffer].space)) +
                                                " memory; kernels take device memory only");
  }
  return sets_.at(set).at(buffer).device.get();
}

std::byte* Buffers::host(std::uint32_t set, std::size_t buffer) const {
  if (!in_host_memory(buffer)) {
    throw Failure(FailureKind::unsupported,
                  "buffer '" + spec_.buffers[buffer].name + "' lives on the device, not in host memory");
  }
  const Memory& memory = sets_.at(set).at(buffer);
  return memory.pageable ? memory.pageable.get() : memory.pinned.get();
}

void Buffers::check_range(std::size_t buffer, std::uint64_t offset, std::uint64_t bytes) const {
  const std::uint64_t size = allocation_.at(buffer);
  if (offset > size || bytes > size - offset) {
    throw Failure(FailureKind::launch_error, "bytes " + std::to_string(offset) + " + " +
                                                 std::to_string(bytes) + " lie outside buffer '" +
                                                 spec_.buffers[buffer].name + "' of " +
                                                 std::to_string(size) + " bytes");
  }
}

std::span<std::byte> Buffers::host_range(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                                         std::uint64_t bytes) const {
  check_range(buffer, offset, bytes);
  return {host(set, buffer) + offset, bytes};
}

void Buffers::enqueue_write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                            std::span<const std::byte> bytes) const {
  if (bytes.empty()) return;
  if (in_host_memory(buffer)) {
    std::ranges::copy(bytes, host_range(set, buffer, offset, bytes.size()).begin());
    return;
  }
  check_range(buffer, offset, bytes.size());
  check(api().clEnqueueWriteBuffer(device_.queue.get(), get(set, buffer), CL_FALSE, offset, bytes.size(),
                                   bytes.data(), 0, nullptr, nullptr),
        "write buffer '" + spec_.buffers[buffer].name + "'");
}

void Buffers::enqueue_read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                           std::span<std::byte> bytes) const {
  if (bytes.empty()) return;
  if (in_host_memory(buffer)) {
    std::ranges::copy(host_range(set, buffer, offset, bytes.size()), bytes.begin());
    return;
  }
  check_range(buffer, offset, bytes.size());
  check(api().clEnqueueReadBuffer(device_.queue.get(), get(set, buffer), CL_FALSE, offset, bytes.size(),
                                  bytes.data(), 0, nullptr, nullptr),
        "read buffer '" + spec_.buffers[buffer].name + "'");
}

void Buffers::fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
                   std::byte value) const {
  if (in_host_memory(buffer)) {
    std::ranges::fill(host_range(set, buffer, offset, bytes), value);
    return;
  }
  check_range(buffer, offset, bytes);
  device_.enqueue_fill(get(set, buffer), offset, bytes, value);
  device_.finish();
}

}  // namespace benchctl::opencl

#include "buffers.hpp"

#include <algorithm>
#include <new>

namespace benchctl::vulkan {

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
  if (buffer.space == Space::device) return {device_.allocate(bytes, what), {}};
  if (buffer.space == Space::host_pinned) return {device_.allocate_host(bytes, what), {}};
  try {
    return {{}, std::make_unique<std::byte[]>(std::max<std::uint64_t>(bytes, 1))};
  } catch (const std::bad_alloc&) {
    throw Failure(FailureKind::out_of_memory,
                  "cannot allocate " + std::to_string(bytes) + " bytes of host memory for " + what);
  }
}

const Buffer& Buffers::get(std::uint32_t set, std::size_t buffer) const {
  const Memory& memory = sets_.at(set).at(buffer);
  if (memory.pageable) {
    throw Failure(FailureKind::unsupported,
                  "buffer '" + spec_.buffers[buffer].name +
                      "' lives in pageable memory; Vulkan reaches memory of its own only");
  }
  return memory.buffer;
}

std::span<std::byte> Buffers::host_range(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                                         std::uint64_t bytes) const {
  const std::uint64_t size = allocation_.at(buffer);
  if (offset > size || bytes > size - offset) {
    throw Failure(FailureKind::launch_error, "bytes " + std::to_string(offset) + " + " +
                                                 std::to_string(bytes) + " lie outside buffer '" +
                                                 spec_.buffers[buffer].name + "' of " +
                                                 std::to_string(size) + " bytes");
  }
  const Memory& memory = sets_.at(set).at(buffer);
  std::byte* start = memory.pageable ? memory.pageable.get() : memory.buffer.mapped;
  if (start == nullptr) return {};
  return {start + offset, bytes};
}

void Buffers::write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                    std::span<const std::byte> bytes) const {
  if (bytes.empty()) return;
  const std::span<std::byte> host = host_range(set, buffer, offset, bytes.size());
  if (host.empty()) {
    device_.write(get(set, buffer), offset, bytes);
  } else {
    std::ranges::copy(bytes, host.begin());
  }
}

void Buffers::read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                   std::span<std::byte> bytes) const {
  if (bytes.empty()) return;
  const std::span<std::byte> host = host_range(set, buffer, offset, bytes.size());
  if (host.empty()) {
    device_.read(get(set, buffer), offset, bytes);
  } else {
    std::ranges::copy(host, bytes.begin());
  }
}

void Buffers::fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
                   std::byte value) const {
  if (bytes == 0) return;
  const std::span<std::byte> host = host_range(set, buffer, offset, bytes);
  if (!host.empty()) {
    std::ranges::fill(host, value);
  } else if (offset % 4 == 0 && bytes % 4 == 0) {
    Commands commands(device_);
    commands.fill(get(set, buffer), offset, bytes, value);
    commands.end();
    device_.submit(commands);
  } else {
    device_.write(get(set, buffer), offset, std::vector<std::byte>(bytes, value));
  }
}

}  // namespace benchctl::vulkan

#include "buffers.hpp"

#include "error.hpp"

namespace benchctl::opencl {

Buffers::Buffers(const OpenDevice& device, const ProblemRequest& request)
    : device_(device), spec_(request.spec) {
  for (const BufferSpec& buffer : spec_.buffers) {
    if (buffer.space != Space::device) {
      throw Failure(FailureKind::unsupported, "buffer '" + buffer.name + "' wants " +
                                                  std::string(to_string(buffer.space)) +
                                                  " memory; the OpenCL backend has device memory only");
    }
  }
  for (std::uint32_t set = 0; set < request.sets; ++set) {
    std::vector<BufferHandle>& handles = sets_.emplace_back();
    for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
      handles.push_back(
          device.allocate(request.allocation.at(i), "buffer '" + spec_.buffers[i].name + "'"));
    }
  }
}

cl_mem Buffers::get(std::uint32_t set, std::size_t buffer) const { return sets_.at(set).at(buffer).get(); }

void Buffers::enqueue_write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                            std::span<const std::byte> bytes) const {
  if (bytes.empty()) return;
  check(api().clEnqueueWriteBuffer(device_.queue.get(), get(set, buffer), CL_FALSE, offset, bytes.size(),
                                   bytes.data(), 0, nullptr, nullptr),
        "write buffer '" + spec_.buffers[buffer].name + "'");
}

void Buffers::enqueue_read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                           std::span<std::byte> bytes) const {
  if (bytes.empty()) return;
  check(api().clEnqueueReadBuffer(device_.queue.get(), get(set, buffer), CL_FALSE, offset, bytes.size(),
                                  bytes.data(), 0, nullptr, nullptr),
        "read buffer '" + spec_.buffers[buffer].name + "'");
}

void Buffers::enqueue_fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
                           std::byte value) const {
  device_.enqueue_fill(get(set, buffer), offset, bytes, value);
}

}  // namespace benchctl::opencl

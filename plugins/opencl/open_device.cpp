#include "open_device.hpp"

#include "device_info.hpp"
#include "error.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace benchctl::opencl {

namespace {

/// Below, no page of 2 MB is sure to fit in.
constexpr std::uint64_t worth_huge_pages = std::uint64_t{4} << 20;

/// Asks for pages of 2 MB for a buffer that lies in this process's memory, before it is touched: the
/// buffers of cpu_avx have them, too. Only a wish, without which everything works.
void wish_huge_pages(cl_command_queue queue, cl_mem buffer, std::uint64_t bytes) {
  cl_int status = CL_SUCCESS;
  void* memory = api().clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes,
                                          0, nullptr, nullptr, &status);
  if (status != CL_SUCCESS || memory == nullptr) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(memory) % page;
  madvise(static_cast<std::byte*>(memory) - before, before + bytes, MADV_HUGEPAGE);
  static_cast<void>(api().clEnqueueUnmapMemObject(queue, buffer, memory, 0, nullptr, nullptr));
}

}  // namespace

OpenDevice::OpenDevice(const FoundDevice& device, const SessionOptions& session_options)
    : found(device), info(describe(device)), options(session_options) {
  cl_int status = CL_SUCCESS;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(found.platform), 0};
  context = ContextHandle(api().clCreateContext(properties, 1, &found.device, nullptr, nullptr, &status));
  check(status, "create a context for " + info.name);
  queue = QueueHandle(
      api().clCreateCommandQueue(context.get(), found.device, CL_QUEUE_PROFILING_ENABLE, &status));
  check(status, "create a command queue for " + info.name);
}

void OpenDevice::finish() const { check_executed(api().clFinish(queue.get()), "finish the queued work"); }

BufferHandle OpenDevice::allocate(std::uint64_t bytes, const std::string& what) const {
  const auto refuse = [&](cl_int status) {
    throw Failure(FailureKind::out_of_memory,
                  "cannot allocate " + std::to_string(bytes) + " bytes for " + what + " on " + info.name +
                      " (" + std::to_string(info.limits.memory_bytes) + " bytes of memory, " +
                      std::to_string(info.limits.max_allocation_bytes) +
                      " at most in one buffer): " + error_name(status));
  };
  // OpenCL has no empty buffers.
  const std::uint64_t size = std::max<std::uint64_t>(bytes, 4);
  cl_int status = CL_SUCCESS;
  BufferHandle buffer(api().clCreateBuffer(context.get(), CL_MEM_READ_WRITE, size, nullptr, &status));
  if (status != CL_SUCCESS) refuse(status);
  if (info.type == DeviceType::cpu && bytes >= worth_huge_pages) {
    wish_huge_pages(queue.get(), buffer.get(), bytes);
  }
  constexpr cl_uint zero = 0;
  status =
      api().clEnqueueFillBuffer(queue.get(), buffer.get(), &zero, size % sizeof zero == 0 ? sizeof zero : 1,
                                0, size, 0, nullptr, nullptr);
  if (status == CL_SUCCESS) status = api().clFinish(queue.get());
  if (status != CL_SUCCESS) refuse(status);
  return buffer;
}

void OpenDevice::enqueue_fill(cl_mem buffer, std::uint64_t offset, std::uint64_t bytes, std::byte value,
                              cl_event gate, cl_event* event) const {
  if (bytes == 0) return;
  const std::array<std::byte, 4> pattern{value, value, value, value};
  const std::size_t pattern_bytes = offset % 4 == 0 && bytes % 4 == 0 ? 4 : 1;
  check(api().clEnqueueFillBuffer(queue.get(), buffer, pattern.data(), pattern_bytes, offset, bytes,
                                  gate == nullptr ? 0 : 1, gate == nullptr ? nullptr : &gate, event),
        "fill a buffer");
}

}  // namespace benchctl::opencl

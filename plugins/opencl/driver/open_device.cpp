#include "driver/open_device.hpp"

#include "driver/device_info.hpp"
#include "driver/error.hpp"
#include "driver/huge_pages.hpp"
#include "driver/local_memory.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace benchctl::opencl {

namespace {

/// When a marker ended, by the device's clock in nanoseconds.
cl_ulong stamp_of_marker(const OpenDevice& device) {
  EventHandle event;
  check(api().clEnqueueMarkerWithWaitList(device.queue.get(), 0, nullptr, event.out()), "enqueue a marker");
  check_executed(api().clFinish(device.queue.get()), "finish a marker");
  cl_ulong stamp = 0;
  const cl_int status =
      api().clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof stamp, &stamp, nullptr);
  return status == CL_SUCCESS ? stamp : 0;
}

/// rusticl of Mesa 22.3 answers 0, 1, 2 and 3 ns for every command: each kernel would take 1 ns.
void refuse_made_up_stamps(const OpenDevice& device) {
  constexpr std::chrono::milliseconds pause{1};
  const cl_ulong before = stamp_of_marker(device);
  std::this_thread::sleep_for(pause);
  const cl_ulong after = stamp_of_marker(device);
  if (before == 0 || !are_made_up(before, after, pause)) return;
  throw Failure(FailureKind::unsupported, "the driver of " + device.info.name +
                                              " has no clock: two commands more than " +
                                              std::to_string(pause.count()) + " ms apart have the stamps " +
                                              std::to_string(before) + " ns and " + std::to_string(after) +
                                              " ns. Use a newer driver, or leave the device out");
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
  refuse_made_up_stamps(*this);
  const std::uint64_t reported = reported_local_memory(found);
  if (info.limits.local_memory_bytes > reported &&
      !takes_local_memory(*this, info.limits.local_memory_bytes)) {
    info.limits.local_memory_bytes = reported;
  }
}

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
  BufferHandle buffer =
      info.type == DeviceType::cpu && bytes >= worth_huge_pages
          ? buffer_on_huge_pages(context.get(), bytes, &status)
          : BufferHandle(api().clCreateBuffer(context.get(), CL_MEM_READ_WRITE, size, nullptr, &status));
  if (status != CL_SUCCESS) refuse(status);
  constexpr cl_uint zero = 0;
  status =
      api().clEnqueueFillBuffer(queue.get(), buffer.get(), &zero, size % sizeof zero == 0 ? sizeof zero : 1,
                                0, size, 0, nullptr, nullptr);
  if (status == CL_SUCCESS) status = api().clFinish(queue.get());
  if (status != CL_SUCCESS) refuse(status);
  return buffer;
}

}  // namespace benchctl::opencl

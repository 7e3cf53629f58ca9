#include "device.hpp"

#include "gpu/self_path.hpp"
#include "measure/event_times.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "vendor/clblast.hpp"
#endif

#include <algorithm>

namespace benchctl::opencl {

namespace {

/// Commands that are queued behind a user event. Drivers have a limited number of places, and one that
/// waits for a free place would wait for the gate.
constexpr std::uint64_t max_gated_commands = 32;
/// Commands that are queued behind a running kernel: one that waits for a place waits for no more than its
/// end, but the sample is lost then.
constexpr std::uint64_t max_held_commands = 256;

}  // namespace

Memory::Memory(const OpenDevice& device, std::uint64_t bytes, const std::string& what) {
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
  void* const address =
      api().clEnqueueMapBuffer(device.queue.get(), buffer_.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                               size, 0, nullptr, nullptr, &status);
  check_memory();
  mapped_ = {static_cast<std::byte*>(address), Unmap{device.queue.get(), buffer_.get()}};
}

void Memory::Unmap::operator()(std::byte* address) const {
  // A failure leaves nothing to be done.
  static_cast<void>(api().clEnqueueUnmapMemObject(queue, buffer, address, 0, nullptr, nullptr));
  static_cast<void>(api().clFinish(queue));
}

Device::Device(const FoundDevice& device, const SessionOptions& session_options)
    : OpenDevice(device, session_options),
      by_kernel_(held_by_kernel(*this)),
      hold_(*this),
      gate_(context.get()),
      gate_objection_(gate_objection(*this)) {}

Device::~Device() {
#ifdef BENCHCTL_OPENCL_CLBLAST
  clear_clblast();  // it keeps programs of the context
#endif
}

void Device::finish(std::string_view what) const {
  if (const cl_int status = api().clFinish(queue.get()); status != CL_SUCCESS) {
    check_executed(status, "finish " + std::string(what));
  }
}

Memory Device::allocate(Space space, std::uint64_t bytes, const std::string& what) const {
  return space == Space::device ? Memory(OpenDevice::allocate(bytes, what)) : Memory(*this, bytes, what);
}

std::shared_ptr<std::byte[]> Device::host_bytes(std::uint64_t bytes, const std::string& /*what*/) const {
  return std::make_shared<std::byte[]>(bytes);
}

void Device::upload(const Memory& to, std::uint64_t offset, std::span<const std::byte> bytes) {
  command("copy to the device", [&](cl_uint count, const cl_event* list, cl_event* event) {
    return api().clEnqueueWriteBuffer(queue.get(), to.get(), CL_FALSE, offset, bytes.size(), bytes.data(),
                                      count, list, event);
  });
}

void Device::download(const Memory& from, std::uint64_t offset, std::span<std::byte> bytes) {
  command("copy from the device", [&](cl_uint count, const cl_event* list, cl_event* event) {
    return api().clEnqueueReadBuffer(queue.get(), from.get(), CL_FALSE, offset, bytes.size(), bytes.data(),
                                     count, list, event);
  });
}

void Device::copy(const Memory& from, const Memory& to, std::uint64_t bytes) {
  command("copy a buffer", [&](cl_uint count, const cl_event* list, cl_event* event) {
    return api().clEnqueueCopyBuffer(queue.get(), from.get(), to.get(), 0, 0, bytes, count, list, event);
  });
}

void Device::fill(const Memory& memory, std::uint64_t offset, std::uint64_t bytes, std::byte value) {
  const std::array<std::byte, 4> pattern{value, value, value, value};
  const std::size_t pattern_bytes = offset % 4 == 0 && bytes % 4 == 0 ? 4 : 1;
  command("fill a buffer", [&](cl_uint count, const cl_event* list, cl_event* event) {
    return api().clEnqueueFillBuffer(queue.get(), memory.get(), pattern.data(), pattern_bytes, offset,
                                     bytes, count, list, event);
  });
}

std::function<void()> Device::capture(const std::function<void()>& /*queue*/) const {
  throw Failure(FailureKind::unsupported, "launch = \"graph\": OpenCL has no graphs; use \"stream\"");
}

std::string Device::objection(const gpu::Work& work, const SampleRequest& request) {
  if (!gate_objection_.empty()) return gate_objection_;
  if (work.bracketed() && stamp_.get() == nullptr) {
    stamp_ = allocate(Space::device, sizeof(cl_uint), "a time stamp");
  }
  if (work.began_early) return {};
  if (by_kernel_ && !hold_.usable()) return "the driver has no usable time stamps";
  const std::uint64_t commands = std::uint64_t{work.operations()} * request.batch;
  const std::uint64_t most = by_kernel_ ? max_held_commands : max_gated_commands;
  if (commands <= most) return {};
  return std::to_string(commands) + " commands in a sample, at most " + std::to_string(most) +
         " can be held";
}

void Device::stamp(EventHandle& event) {
  marks_.last = &event;
  marks_.left = 1;
  fill(stamp_, 0, sizeof(cl_uint), std::byte{0});
}

gpu::DeviceTime Device::timed(const gpu::Work& work, const SampleRequest& request,
                              const gpu::QueueSome& queue_some, bool hold) {
  if (hold && by_kernel_) return timed_behind_kernel(work, request, queue_some);
  gpu::DeviceTime time;
  EventHandle first;
  EventHandle last;
  const gpu::HookCall hook(request.hook);
  const auto start = gpu::Clock::now();
  {
    const gpu::GateGuard guard(gate_);
    const std::unique_ptr<Marks, void (*)(Marks*)> clear(&marks_, [](Marks* marks) { *marks = {}; });
    marks_ = {hold ? gate_.close() : nullptr, &first, nullptr, 0};
    if (work.bracketed()) stamp(first);
    for (std::uint32_t i = 0; i < request.batch; ++i) {
      if (i + 1 == request.batch && !work.bracketed()) {
        marks_.last = &last;
        marks_.left = work.operations();
      }
      queue_some(i, 1);
    }
    if (work.bracketed()) stamp(last);
    check(api().clFlush(queue.get()), "flush the queue");
    time.held = hold && gate_.open();
  }
  finish(work.title());
  time.host_ns = gpu::since(start);
  const bool around = work.bracketed();
  time.device_ns = duration_ns(first, last, around ? CL_PROFILING_COMMAND_END : CL_PROFILING_COMMAND_START,
                               around ? CL_PROFILING_COMMAND_START : CL_PROFILING_COMMAND_END);
  if (hold && !time.held) gate_objection_ = gpu::began_early_text;
  return time;
}

gpu::DeviceTime Device::timed_behind_kernel(const gpu::Work& work, const SampleRequest& request,
                                            const gpu::QueueSome& queue_some) {
  const std::uint64_t commands = std::uint64_t{work.operations()} * request.batch;
  gpu::DeviceTime time;
  EventHandle after;
  {
    const gpu::HookCall hook(request.hook);
    hold_.start(hold_time_.for_commands(commands));
    const auto start = gpu::Clock::now();
    queue_some(0, request.batch);
    check(api().clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, after.out()),
          "mark the end of a sample");
    check(api().clFlush(queue.get()), "flush the queue");
    time.held = hold_.running();
    hold_time_.learn(commands, gpu::since(start), !time.held);
    finish(work.title());
    time.host_ns = gpu::since(start);
  }
  hold_.learn();
  time.retry = !time.held;
  // Events of the work's own commands would stand between them: the sample lasts from the end of what holds
  // to the start of what comes after.
  time.device_ns = duration_ns(hold_.event(), after, CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_START);
  return time;
}

gpu::Eviction Device::eviction() const {
  constexpr std::uint64_t cpu_bytes = std::uint64_t{64} << 20U;
  /// What NVIDIA's OpenCL reports is smaller than the last cache.
  constexpr std::uint64_t gpu_bytes = std::uint64_t{512} << 20U;
  std::uint64_t bytes =
      std::max(2 * info().last_level_cache_bytes, info().type == DeviceType::gpu ? gpu_bytes : cpu_bytes);
  if (const std::uint64_t most = info().limits.max_allocation_bytes; most != 0)
    bytes = std::min(bytes, most);
  return {(gpu::plugin_directory() / "kernels/opencl/evict.cl").string(), bytes, 256};
}

}  // namespace benchctl::opencl

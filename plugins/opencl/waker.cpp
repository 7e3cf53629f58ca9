#include "waker.hpp"

#include "error.hpp"
#include "program.hpp"
#include "self_path.hpp"

#include <sched.h>

namespace benchctl::opencl {

namespace {

constexpr std::uint64_t line_bytes = 64;
constexpr cl_uint turn_argument = 2;
constexpr std::size_t one = 1;

template <class T>
void set_argument(const KernelHandle& kernel, cl_uint position, const T& value) {
  check(api().clSetKernelArg(kernel.get(), position, sizeof value, &value), "set an argument of wake.cl");
}

void launch(cl_command_queue queue, const KernelHandle& kernel, std::size_t groups, cl_event start) {
  check(api().clEnqueueNDRangeKernel(queue, kernel.get(), 1, nullptr, &groups, &one, 1, &start, nullptr),
        "launch the waking of the device's threads");
}

/// Processors that this process may use; threads that share one would keep each other from arriving.
std::uint32_t processors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<std::uint32_t>(CPU_COUNT(&allowed));
}

}  // namespace

Waker::Waker(const OpenDevice& device)
    : device_(device),
      useful_(device.info.type == DeviceType::cpu && device.info.compute_units > 1 &&
              device.info.compute_units <= processors()) {}

void Waker::prepare() {
  if (call_) return;
  cl_int status = CL_SUCCESS;
  queue_ = QueueHandle(api().clCreateCommandQueue(device_.context.get(), device_.found.device, 0, &status));
  check(status, "create a second command queue for " + device_.info.name);
  arrived_ = device_.allocate(line_bytes, "the number of threads that are awake");
  called_ = device_.allocate(line_bytes, "the call for threads that are awake");
  const std::filesystem::path file = kernel_directory() / "wake.cl";
  const BuiltProgram program = build_program(device_, file, {}, 1);
  watch_ = create_kernel(program, "watch", file);
  call_ = create_kernel(program, "call", file);
  for (const KernelHandle* kernel : {&watch_, &call_}) {
    set_argument(*kernel, 0, arrived_.get());
    set_argument(*kernel, 1, called_.get());
  }
}

void Waker::enqueue(cl_event gate) {
  prepare();
  ++turn_;
  const cl_uint watchers = device_.info.compute_units - 1;
  set_argument(watch_, turn_argument, turn_);
  set_argument(call_, turn_argument, turn_);
  set_argument(call_, turn_argument + 1, watchers);
  // A command of the device lets both begin: the host's thread, which opens the gate, could lose its
  // processor to the first before it has handed over the second.
  EventHandle start;
  check(api().clEnqueueMarkerWithWaitList(device_.queue.get(), 1, &gate, start.out()), "queue a marker");
  launch(device_.queue.get(), call_, 1, start.get());
  launch(queue_.get(), watch_, watchers, start.get());
  check(api().clFlush(queue_.get()), "flush the second queue");
}

void Waker::finish() const {
  check_executed(api().clFinish(queue_.get()), "finish the waking of the device's threads");
}

}  // namespace benchctl::opencl

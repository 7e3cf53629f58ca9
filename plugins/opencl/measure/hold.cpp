#include "measure/hold.hpp"

#include "compile/program.hpp"
#include "driver/error.hpp"
#include "gpu/self_path.hpp"
#include "measure/event_times.hpp"

#include <algorithm>

namespace benchctl::opencl {

namespace {

constexpr cl_uint rehearsed_steps = 20'000;
constexpr double longest_ns = 100e6;

}  // namespace

void HoldKernel::prepare() {
  word_ = device_.allocate(sizeof(cl_uint), "the kernel that holds the queue");
  const std::filesystem::path file = gpu::plugin_directory() / "kernels/opencl/hold.cl";
  kernel_ = create_kernel(build_program(device_, file, {}, 1), "hold", file);
  const cl_mem word = word_.get();
  check(api().clSetKernelArg(kernel_.get(), 0, sizeof word, &word), "set an argument of hold");
  // The first run loads it, the second one shows how long a step takes.
  for (int run = 0; run < 2; ++run) {
    steps_ = rehearsed_steps;
    launch();
    check_executed(api().clFinish(device_.queue.get()), "try out the kernel that holds the queue");
    learn();
  }
}

void HoldKernel::launch() {
  constexpr std::size_t one = 1;
  check(api().clSetKernelArg(kernel_.get(), 1, sizeof steps_, &steps_), "set an argument of hold");
  check(api().clEnqueueNDRangeKernel(device_.queue.get(), kernel_.get(), 1, nullptr, &one, &one, 0, nullptr,
                                     event_.out()),
        "launch the kernel that holds the queue");
  check(api().clFlush(device_.queue.get()), "flush the queue");
}

bool HoldKernel::usable() {
  if (!kernel_) prepare();
  return step_ns_ > 0;
}

void HoldKernel::start(double ns) {
  steps_ = static_cast<cl_uint>(std::clamp(std::min(ns, longest_ns) / step_ns_, 1.0, 4e9));
  launch();
}

bool HoldKernel::running() const {
  cl_int status = CL_COMPLETE;
  check(api().clGetEventInfo(event_.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                             nullptr),
        "ask whether the queue is still held");
  return status > CL_COMPLETE;
}

void HoldKernel::learn() {
  const double ns = duration_ns(event_, event_, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END);
  if (ns > 0 && steps_ > 0) step_ns_ = ns / steps_;
}

}  // namespace benchctl::opencl

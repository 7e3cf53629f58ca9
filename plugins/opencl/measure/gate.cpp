#include "measure/gate.hpp"

#include "driver/error.hpp"
#include "driver/open_device.hpp"

#include <cstdlib>

namespace benchctl::opencl {

namespace {

constexpr std::chrono::seconds time_out{2};

}  // namespace

std::string gate_objection(const OpenDevice& device) {
  if (device.info.type == DeviceType::simulator) return "a simulator hangs on a held queue";
  const char* off = std::getenv("BENCHCTL_NO_GATE");
  if (off != nullptr && gpu::is_switched_on(off)) return "BENCHCTL_NO_GATE is set";
  if (gpu::tracer_of_this_process() != 0) return "a debugger is attached";
  return {};
}

bool held_by_kernel(const OpenDevice& device) {
  const char* asked = std::getenv("BENCHCTL_OPENCL_HOLD");
  if (asked == nullptr || *asked == '\0') return device.info.type == DeviceType::gpu;
  const std::string_view way = asked;
  if (way == "kernel") return true;
  if (way == "event") return false;
  throw Failure(FailureKind::unsupported,
                "BENCHCTL_OPENCL_HOLD is '" + std::string(way) + "': it is 'kernel' or 'event'");
}

Gate::Gate(cl_context context)
    : context_(context),
      watchdog_(time_out, [this] { api().clSetUserEventStatus(event_.get(), CL_COMPLETE); }) {}

Gate::~Gate() { open(); }

cl_event Gate::close() {
  cl_int status = CL_SUCCESS;
  event_ = EventHandle(api().clCreateUserEvent(context_, &status));
  check(status, "create a user event");
  watchdog_.closed();
  return event_.get();
}

bool Gate::open() {
  cl_int status = CL_SUCCESS;
  return watchdog_.opens([&] { status = api().clSetUserEventStatus(event_.get(), CL_COMPLETE); }) &&
         status == CL_SUCCESS;
}

}  // namespace benchctl::opencl

#include "measure/gate.hpp"

#include "driver/error.hpp"
#include "driver/open_device.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>

namespace benchctl::opencl {

namespace {

constexpr std::chrono::seconds time_out{2};

bool is_traced() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != std::string::npos;
  }
  return false;
}

}  // namespace

std::string gate_objection(const OpenDevice& device) {
  if (device.info.type == DeviceType::simulator) return "a simulator hangs on a held queue";
  const char* off = std::getenv("BENCHCTL_NO_GATE");
  if (off != nullptr && *off != '\0' && std::string_view(off) != "0") return "BENCHCTL_NO_GATE is set";
  if (is_traced()) return "a debugger is attached";
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
    : context_(context), watchdog_([this](const std::stop_token& stop) { watch(stop); }) {}

Gate::~Gate() { open(); }

cl_event Gate::close() {
  cl_int status = CL_SUCCESS;
  event_ = EventHandle(api().clCreateUserEvent(context_, &status));
  check(status, "create a user event");
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  closed_at_ = Clock::now();
  if (idle_) changed_.notify_all();
  return event_.get();
}

bool Gate::open() {
  const std::scoped_lock lock(mutex_);
  if (!closed_) return false;
  closed_ = false;
  return api().clSetUserEventStatus(event_.get(), CL_COMPLETE) == CL_SUCCESS;
}

void Gate::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    idle_ = true;
    if (!changed_.wait(lock, stop, [this] { return closed_; })) return;
    idle_ = false;
    // Closings and openings of the next seconds wake nobody: on a processor the device would wait for it.
    for (auto end = closed_at_ + time_out; Clock::now() < end; end = closed_at_ + time_out) {
      changed_.wait_until(lock, stop, end, [] { return false; });
      if (stop.stop_requested()) return;
    }
    if (!closed_) continue;
    closed_ = false;
    api().clSetUserEventStatus(event_.get(), CL_COMPLETE);
  }
}

}  // namespace benchctl::opencl

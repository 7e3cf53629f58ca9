#include "gate.hpp"

#include <charconv>
#include <fstream>
#include <string>
#include <utility>

namespace benchctl::gpu {

bool is_switched_on(std::string_view value) { return !value.empty() && value != "0"; }

long tracer_of_this_process() {
  std::ifstream status("/proc/self/status");
  constexpr std::string_view key = "TracerPid:";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t digit = line.find_first_of("0123456789");
    long pid = 0;
    if (digit != std::string::npos) std::from_chars(line.data() + digit, line.data() + line.size(), pid);
    return pid;
  }
  return 0;
}

GateWatchdog::GateWatchdog(std::chrono::nanoseconds time_out, std::function<void()> open)
    : time_out_(time_out),
      open_(std::move(open)),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void GateWatchdog::closed() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  closed_at_ = Clock::now();
  if (idle_) changed_.notify_all();
}

bool GateWatchdog::opens(const std::function<void()>& open) {
  const std::scoped_lock lock(mutex_);
  if (!closed_) return false;
  closed_ = false;
  open();
  return true;
}

bool GateWatchdog::fired() const {
  const std::scoped_lock lock(mutex_);
  return fired_;
}

void GateWatchdog::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    idle_ = true;
    if (!changed_.wait(lock, stop, [this] { return closed_; })) return;
    idle_ = false;
    // Closings and openings until then wake nobody: on a processor the device would wait for it.
    for (auto end = closed_at_ + time_out_; Clock::now() < end; end = closed_at_ + time_out_) {
      changed_.wait_until(lock, stop, end, [] { return false; });
      if (stop.stop_requested()) return;
    }
    if (!closed_) continue;
    closed_ = false;
    fired_ = true;
    open_();
  }
}

}  // namespace benchctl::gpu

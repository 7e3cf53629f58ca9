#include "measure/gate.hpp"

#include "measure/limits.hpp"

#include <atomic>
#include <utility>

namespace benchctl::cuda {

namespace {

/// How often the watchdog looks. Coarse, so that it takes no time from the measurement.
constexpr std::chrono::milliseconds watch_interval{100};

}  // namespace

StreamGate::StreamGate(const DriverApi& driver, CUstream stream, std::string objection)
    : driver_(driver), stream_(stream), objection_(std::move(objection)) {
  if (!objection_.empty()) return;
  flag_ = allocate_pinned(driver_, sizeof(std::uint32_t), "the gate");
  store(0);
  driver_.check(driver_.mem_host_get_device_pointer(&device_flag_, flag_.get(), 0),
                "mapping the gate's flag");
  watchdog_ = std::thread([this] { watch(); });
}

StreamGate::~StreamGate() {
  open();
  if (!watchdog_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  watchdog_.join();
}

std::string StreamGate::objection() const {
  const std::lock_guard lock(mutex_);
  return objection_;
}

bool StreamGate::close() {
  const std::lock_guard lock(mutex_);
  if (!objection_.empty()) return false;
  ++ticket_;
  // GEQ compares in a circle, so that the ticket may wrap.
  const CUresult result =
      driver_.stream_wait_value32(stream_, device_flag_, ticket_, CU_STREAM_WAIT_VALUE_GEQ);
  if (result != CUDA_SUCCESS) {
    if (loses_context(result)) driver_.check(result, "closing the gate");
    objection_ = "the driver cannot hold a stream back (" + driver_.describe(result) + ")";
    return false;
  }
  closed_ = true;
  deadline_ = std::chrono::steady_clock::now() + gate_timeout;
  return true;
}

void StreamGate::open() noexcept {
  const std::lock_guard lock(mutex_);
  if (!closed_) return;
  closed_ = false;
  store(ticket_);
}

void StreamGate::store(std::uint32_t ticket) noexcept {
  std::atomic_ref(*static_cast<std::uint32_t*>(flag_.get())).store(ticket, std::memory_order_release);
}

void StreamGate::watch() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, watch_interval);
    if (closed_ && std::chrono::steady_clock::now() > deadline_) {
      closed_ = false;
      objection_ = "the gate had to be opened by its time-out: launches wait for one another here";
      store(ticket_);
    }
  }
}

}  // namespace benchctl::cuda

#include "measure/gate.hpp"

#include "measure/limits.hpp"

#include <atomic>
#include <utility>

namespace benchctl::cuda {

StreamGate::StreamGate(const DriverApi& driver, CUstream stream, std::string objection)
    : driver_(driver), stream_(stream), objection_(std::move(objection)) {
  if (!objection_.empty()) return;
  flag_ = allocate_pinned(driver_, sizeof(std::uint32_t), "the gate");
  store(0);
  driver_.check(driver_.mem_host_get_device_pointer(&device_flag_, flag_.get(), 0),
                "mapping the gate's flag");
  watchdog_.emplace(gate_timeout, [this] { store(ticket_); });
}

StreamGate::~StreamGate() { open(); }

std::string StreamGate::objection() const {
  if (watchdog_ && watchdog_->fired()) {
    return "the gate timed out: launches wait for one another here";
  }
  return objection_;
}

bool StreamGate::close() {
  if (!objection().empty()) return false;
  ++ticket_;
  // GEQ compares in a circle, so that the ticket may wrap.
  const CUresult result =
      driver_.stream_wait_value32(stream_, device_flag_, ticket_, CU_STREAM_WAIT_VALUE_GEQ);
  if (result != CUDA_SUCCESS) {
    if (loses_context(result)) driver_.check(result, "closing the gate");
    objection_ = "the driver cannot hold a stream back (" + driver_.describe(result) + ")";
    return false;
  }
  watchdog_->closed();
  return true;
}

void StreamGate::open() noexcept {
  if (watchdog_) watchdog_->opens([this] { store(ticket_); });
}

void StreamGate::store(std::uint32_t ticket) noexcept {
  std::atomic_ref(*static_cast<std::uint32_t*>(flag_.get())).store(ticket, std::memory_order_release);
}

}  // namespace benchctl::cuda

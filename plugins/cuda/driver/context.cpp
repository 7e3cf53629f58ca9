#include "driver/context.hpp"

#include "driver/device.hpp"
#include "measure/gate_policy.hpp"

namespace benchctl::cuda {

PrimaryContext::PrimaryContext(const DriverApi& driver, CUdevice device)
    : driver_(driver), device_(device) {
  driver_.check(driver_.primary_ctx_retain(&context_, device_), "opening the device's context");
  if (const CUresult result = driver_.ctx_set_current(context_); result != CUDA_SUCCESS) {
    static_cast<void>(driver_.primary_ctx_release(device_));
    driver_.check(result, "making the device's context current");
  }
}

PrimaryContext::~PrimaryContext() {
  static_cast<void>(driver_.ctx_set_current(nullptr));
  static_cast<void>(driver_.primary_ctx_release(device_));
}

Context::Context(std::shared_ptr<Libraries> libraries, const std::string& device, SessionOptions options)
    : libraries_(std::move(libraries)),
      driver_(libraries_->driver()),
      options_(std::move(options)),
      device_(find_device(driver_, device)),
      info_(describe_device(driver_, device_, device)),
      primary_(driver_, device_),
      stream_(make_stream(driver_)) {
  gate_.emplace(
      driver_, stream_.get(),
      options_.device_debug ? std::string("kernels are compiled for a debugger") : gate_objection_here());
}

Context::~Context() { make_current_quietly(); }

void Context::make_current() const {
  driver_.check(driver_.ctx_set_current(primary_.get()), "making the device's context current");
}

void Context::make_current_quietly() const noexcept {
  static_cast<void>(driver_.ctx_set_current(primary_.get()));
}

void Context::synchronize(const std::string& doing) const {
  driver_.check(driver_.stream_synchronize(stream_.get()), doing);
}

Evictor& Context::evictor() {
  if (!evictor_) evictor_.emplace(*this);
  return *evictor_;
}

CublasHandle& Context::cublas() {
  if (!cublas_) cublas_.emplace(*this);
  return *cublas_;
}

}  // namespace benchctl::cuda

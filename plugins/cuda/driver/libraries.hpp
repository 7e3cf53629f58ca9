// The vendor's libraries, each opened when it is first needed and kept to the end.
#pragma once

#include "compile/nvrtc_api.hpp"
#include "driver/driver_api.hpp"
#include "vendor/cublas_api.hpp"

#include <memory>

namespace benchctl::cuda {

class Libraries {
 public:
  /// Throws Failure(no_device).
  [[nodiscard]] const DriverApi& driver() { return opened(driver_); }
  /// Throws Failure(unsupported).
  [[nodiscard]] const NvrtcApi& nvrtc() { return opened(nvrtc_); }
  /// Throws Failure(unsupported).
  [[nodiscard]] const CublasApi& cublas() { return opened(cublas_); }
  /// Throws Failure(unsupported).
  [[nodiscard]] const CublasLtApi& cublaslt() { return opened(cublaslt_); }

 private:
  template <class Api>
  static const Api& opened(std::unique_ptr<const Api>& api) {
    if (!api) api = std::make_unique<const Api>();
    return *api;
  }

  std::unique_ptr<const DriverApi> driver_;
  std::unique_ptr<const NvrtcApi> nvrtc_;
  std::unique_ptr<const CublasApi> cublas_;
  std::unique_ptr<const CublasLtApi> cublaslt_;
};

}  // namespace benchctl::cuda

// A cuBLAS handle bound to a context's stream, in pedantic mode until told otherwise, with a workspace of
// its own.
#pragma once

#include "driver/handles.hpp"
#include "vendor/cublas_api.hpp"

#include <map>
#include <string>

namespace benchctl::cuda {

class Context;

class CublasHandle {
 public:
  /// Throws Failure: unsupported when there is no cuBLAS.
  explicit CublasHandle(Context& context);
  CublasHandle(const CublasHandle&) = delete;
  CublasHandle& operator=(const CublasHandle&) = delete;
  ~CublasHandle();

  [[nodiscard]] const CublasApi& api() const noexcept { return api_; }
  [[nodiscard]] cublasHandle_t get() const noexcept { return handle_; }
  /// For the calls that follow.
  void use(cublasMath_t mode);
  /// Version, math mode and workspace, as a result's notes.
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const;

 private:
  void configure(const Context& context);

  const CublasApi& api_;
  DeviceMemory workspace_;
  cublasHandle_t handle_ = nullptr;
  cublasMath_t mode_ = CUBLAS_DEFAULT_MATH;
};

}  // namespace benchctl::cuda

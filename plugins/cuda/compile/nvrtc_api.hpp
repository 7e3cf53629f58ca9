// NVRTC, the run-time compiler of CUDA C++, opened at run time. It needs no driver.
#pragma once

#include <nvrtc.h>

#include "driver/toolkit.hpp"

#include <string>

namespace benchctl::cuda {

#define BENCHCTL_CUDA_NVRTC_FUNCTIONS(X)                            \
  X(get_version, "nvrtcVersion", nvrtcVersion)                      \
  X(get_error_string, "nvrtcGetErrorString", nvrtcGetErrorString)   \
  X(create_program, "nvrtcCreateProgram", nvrtcCreateProgram)       \
  X(destroy_program, "nvrtcDestroyProgram", nvrtcDestroyProgram)    \
  X(compile_program, "nvrtcCompileProgram", nvrtcCompileProgram)    \
  X(get_log_size, "nvrtcGetProgramLogSize", nvrtcGetProgramLogSize) \
  X(get_log, "nvrtcGetProgramLog", nvrtcGetProgramLog)              \
  X(get_cubin_size, "nvrtcGetCUBINSize", nvrtcGetCUBINSize)         \
  X(get_cubin, "nvrtcGetCUBIN", nvrtcGetCUBIN)                      \
  X(add_name, "nvrtcAddNameExpression", nvrtcAddNameExpression)     \
  X(get_lowered_name, "nvrtcGetLoweredName", nvrtcGetLoweredName)

struct NvrtcApi {
#define BENCHCTL_CUDA_MEMBER(member, symbol, declaration) decltype(::declaration)* member = nullptr;
  BENCHCTL_CUDA_NVRTC_FUNCTIONS(BENCHCTL_CUDA_MEMBER)
#undef BENCHCTL_CUDA_MEMBER

  /// Throws Failure(unsupported) that names the files tried.
  NvrtcApi();

  /// "13.0".
  [[nodiscard]] const std::string& version() const noexcept { return version_; }
  /// Tells one build of it from another: "NVRTC 13.0 (libnvrtc.so.13.0.88, 108474064 bytes)".
  [[nodiscard]] const std::string& identity() const noexcept { return identity_; }
  /// From 12.9 on, NVRTC keeps machine code in the driver's own cache, and what it finds there comes
  /// without ptxas's report.
  [[nodiscard]] bool caches() const noexcept { return caches_; }
  /// Throws Failure(compile_error) for any code but success.
  void check(nvrtcResult result, const std::string& doing) const;

 private:
  std::string version_;
  std::string identity_;
  bool caches_ = false;
};

}  // namespace benchctl::cuda

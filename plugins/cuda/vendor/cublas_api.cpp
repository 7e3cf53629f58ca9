#include "vendor/cublas_api.hpp"

#include <benchctl/failure.hpp>

namespace benchctl::cuda {

namespace {

/// `words`: what the library calls the status.
[[noreturn]] void fail_with(cublasStatus_t status, const std::string& words, const std::string& doing) {
  const FailureKind kind =
      status == CUBLAS_STATUS_ALLOC_FAILED ? FailureKind::out_of_memory : FailureKind::launch_error;
  // An execution failure means that the GPU faulted: nothing after it can be trusted.
  throw Failure(kind, doing + " failed: " + words, status == CUBLAS_STATUS_EXECUTION_FAILED);
}

}  // namespace

CublasApi::CublasApi() {
  use_toolkit("cuBLAS", "libcublas", "no vendor library", [this](const SharedLibrary& library) {
#define BENCHCTL_CUDA_BIND(member, symbol, declaration) library.bind(member, symbol);
    BENCHCTL_CUDA_CUBLAS_FUNCTIONS(BENCHCTL_CUDA_BIND)
#undef BENCHCTL_CUDA_BIND
  });
}

void CublasApi::check(cublasStatus_t status, const std::string& doing) const {
  if (status != CUBLAS_STATUS_SUCCESS) fail_with(status, get_status_string(status), doing);
}

CublasLtApi::CublasLtApi() {
  use_toolkit("cuBLASLt", "libcublasLt", "no vendor library", [this](const SharedLibrary& library) {
#define BENCHCTL_CUDA_BIND(member, symbol, declaration) library.bind(member, symbol);
    BENCHCTL_CUDA_CUBLASLT_FUNCTIONS(BENCHCTL_CUDA_BIND)
#undef BENCHCTL_CUDA_BIND
  });
}

void CublasLtApi::check(cublasStatus_t status, const std::string& doing) const {
  if (status != CUBLAS_STATUS_SUCCESS) fail_with(status, get_status_string(status), doing);
}

}  // namespace benchctl::cuda

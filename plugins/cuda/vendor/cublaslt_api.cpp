#include "vendor/cublaslt_api.hpp"

#include <benchctl/failure.hpp>

namespace benchctl::cuda {

CublasLtApi::CublasLtApi() {
  try {
    const SharedLibrary library("cuBLASLt", toolkit_candidates("libcublasLt"));
#define BENCHCTL_CUDA_BIND(member, symbol, declaration) library.bind(member, symbol);
    BENCHCTL_CUDA_CUBLASLT_FUNCTIONS(BENCHCTL_CUDA_BIND)
#undef BENCHCTL_CUDA_BIND
  } catch (const LibraryError& error) {
    throw Failure(FailureKind::unsupported,
                  std::string("no vendor library: ") + error.what() +
                      "; install the CUDA Toolkit or set CUDA_HOME to where it is");
  }
}

void CublasLtApi::check(cublasStatus_t status, const std::string& doing) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const FailureKind kind =
      status == CUBLAS_STATUS_ALLOC_FAILED ? FailureKind::out_of_memory : FailureKind::launch_error;
  // An execution failure means that the GPU faulted: nothing after it can be trusted.
  throw Failure(kind, doing + " failed: " + get_status_string(status),
                status == CUBLAS_STATUS_EXECUTION_FAILED);
}

}  // namespace benchctl::cuda

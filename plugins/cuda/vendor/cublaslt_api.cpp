#include "vendor/cublaslt_api.hpp"

#include "vendor/cublas_api.hpp"

namespace benchctl::cuda {

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

// cuBLAS, and cuBLASLt, which comes with it, opened at run time: the vendor's variants.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>

#include "driver/toolkit.hpp"

#include <string>

namespace benchctl::cuda {

#define BENCHCTL_CUDA_CUBLAS_FUNCTIONS(X)                              \
  X(create, "cublasCreate_v2", cublasCreate)                           \
  X(destroy, "cublasDestroy_v2", cublasDestroy)                        \
  X(get_version, "cublasGetVersion_v2", cublasGetVersion)              \
  X(get_status_string, "cublasGetStatusString", cublasGetStatusString) \
  X(set_stream, "cublasSetStream_v2", cublasSetStream)                 \
  X(set_workspace, "cublasSetWorkspace_v2", cublasSetWorkspace)        \
  X(set_math_mode, "cublasSetMathMode", cublasSetMathMode)             \
  X(set_pointer_mode, "cublasSetPointerMode_v2", cublasSetPointerMode) \
  X(sdot, "cublasSdot_v2", cublasSdot)                                 \
  X(ddot, "cublasDdot_v2", cublasDdot)                                 \
  X(snrm2, "cublasSnrm2_v2", cublasSnrm2)                              \
  X(dnrm2, "cublasDnrm2_v2", cublasDnrm2)                              \
  X(sgemm, "cublasSgemm_v2", cublasSgemm)                              \
  X(dgemm, "cublasDgemm_v2", cublasDgemm)                              \
  X(sgeam, "cublasSgeam", cublasSgeam)                                 \
  X(dgeam, "cublasDgeam", cublasDgeam)

struct CublasApi {
#define BENCHCTL_CUDA_MEMBER(member, symbol, declaration) decltype(::declaration)* member = nullptr;
  BENCHCTL_CUDA_CUBLAS_FUNCTIONS(BENCHCTL_CUDA_MEMBER)
#undef BENCHCTL_CUDA_MEMBER

  /// Throws Failure(unsupported) that names the files tried.
  CublasApi();

  /// Throws Failure: out_of_memory for a failed allocation, launch_error for anything else.
  void check(cublasStatus_t status, const std::string& doing) const;
};

#define BENCHCTL_CUDA_CUBLASLT_FUNCTIONS(X)                                                       \
  X(create, "cublasLtCreate", cublasLtCreate)                                                     \
  X(destroy, "cublasLtDestroy", cublasLtDestroy)                                                  \
  X(get_version, "cublasLtGetVersion", cublasLtGetVersion)                                        \
  X(get_status_string, "cublasLtGetStatusString", cublasLtGetStatusString)                        \
  X(desc_create, "cublasLtMatmulDescCreate", cublasLtMatmulDescCreate)                            \
  X(desc_destroy, "cublasLtMatmulDescDestroy", cublasLtMatmulDescDestroy)                         \
  X(layout_create, "cublasLtMatrixLayoutCreate", cublasLtMatrixLayoutCreate)                      \
  X(layout_destroy, "cublasLtMatrixLayoutDestroy", cublasLtMatrixLayoutDestroy)                   \
  X(preference_create, "cublasLtMatmulPreferenceCreate", cublasLtMatmulPreferenceCreate)          \
  X(preference_destroy, "cublasLtMatmulPreferenceDestroy", cublasLtMatmulPreferenceDestroy)       \
  X(preference_set, "cublasLtMatmulPreferenceSetAttribute", cublasLtMatmulPreferenceSetAttribute) \
  X(get_heuristic, "cublasLtMatmulAlgoGetHeuristic", cublasLtMatmulAlgoGetHeuristic)              \
  X(matmul, "cublasLtMatmul", cublasLtMatmul)

struct CublasLtApi {
#define BENCHCTL_CUDA_MEMBER(member, symbol, declaration) decltype(::declaration)* member = nullptr;
  BENCHCTL_CUDA_CUBLASLT_FUNCTIONS(BENCHCTL_CUDA_MEMBER)
#undef BENCHCTL_CUDA_MEMBER

  /// Throws Failure(unsupported) that names the files tried.
  CublasLtApi();

  /// Throws Failure: out_of_memory for a failed allocation, launch_error for anything else.
  void check(cublasStatus_t status, const std::string& doing) const;
};

}  // namespace benchctl::cuda

// cuBLASLt, opened at run time: the yardstick of products in narrow types. It comes with every cuBLAS.
#pragma once

#include <cublasLt.h>

#include "driver/toolkit.hpp"

#include <string>

namespace benchctl::cuda {

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

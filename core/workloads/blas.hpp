// Double-precision matrix product behind references. OpenBLAS is opened at run time, at the first call
// and never before, so that a program that computes no reference does not pay for it. Where there is
// none, a blocked multi-threaded loop of our own does the same, slower.
#pragma once

#include <cstddef>
#include <string>

namespace benchctl {

/// C = A·B, or C += A·B with `accumulate`. All row-major float64; ld* are elements from row to row.
/// A is m×k, B is k×n, C is m×n; each dimension below 2^31.
struct Product {
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  const double* a = nullptr;
  std::size_t lda = 0;
  const double* b = nullptr;
  std::size_t ldb = 0;
  double* c = nullptr;
  std::size_t ldc = 0;
  bool accumulate = false;
};

/// By OpenBLAS if it can be opened, else by `dgemm_own`. `threads` 0: all that this process may use.
void dgemm(const Product& product, unsigned threads = 0);

/// Our own loop, needing no library.
void dgemm_own(const Product& product, unsigned threads = 0);

/// What a run records: how OpenBLAS was built to use several cores (`pthread`, `openmp`, `serial`;
/// `unknown` if it does not tell) and its configuration: "pthread, OpenBLAS 0.3.21 … Haswell
/// MAX_THREADS=64". "none" where there is no OpenBLAS. Opens the library, which starts threads and may
/// crash: `blas_of_workers` (engine/host.hpp) asks another process.
[[nodiscard]] std::string blas_build();

}  // namespace benchctl

// CUB's reductions behind a plain interface: CUB has host code, so nvcc compiles its side, and nothing of
// it is seen here. The calls go through the CUDA runtime, which works in the device's primary context when
// that is current.
#pragma once

#include <cstddef>

namespace benchctl::cuda {

enum class CubOp { sum, min, max, mean, norm, dot };

/// Addresses are device memory. `y` is looked at by dot alone.
struct CubReduction {
  CubOp op;
  bool is_f64;
  const void* x;
  const void* y;
  void* result;
  int n;
};

/// What went wrong, or null; the text lives for ever.
using CubError = const char*;

/// How much memory of its own the reduction needs.
[[nodiscard]] CubError cub_temporary_bytes(const CubReduction& reduction, std::size_t& bytes);
/// Queues the reduction. `stream` is a CUstream, or what is the same, a cudaStream_t. Allocates nothing and
/// waits for nothing.
[[nodiscard]] CubError cub_reduce(const CubReduction& reduction, void* temporary, std::size_t bytes,
                                  void* stream);
/// "CUB 3.0.1".
[[nodiscard]] const char* cub_version();

}  // namespace benchctl::cuda

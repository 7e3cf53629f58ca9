// Entry points of the reduction kernels; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

/// What a part is reduced to. `squares` is the sum of the squares of scale · x, in float64 for both types:
/// squares of float32 numbers neither overflow nor vanish there; those of float64 numbers may, and are then
/// asked for again with another scale. `minimum` and `maximum` are no number if one element is none.
enum class ReduceOp { sum, minimum, maximum, squares, dot };

/// `y` is looked at by dot alone.
template <class T>
struct ReducePart {
  const T* x;
  const T* y;
  size_t count;
  double scale;
};

/// One element at a time, one accumulator.
double reduce_plain(ReduceOp op, const ReducePart<float>& part) noexcept;
double reduce_plain(ReduceOp op, const ReducePart<double>& part) noexcept;
/// One element at a time, eight accumulators.
double reduce_unrolled(ReduceOp op, const ReducePart<float>& part) noexcept;
double reduce_unrolled(ReduceOp op, const ReducePart<double>& part) noexcept;

/// Need AVX2 and FMA, or AVX-512F.
double reduce_avx2(ReduceOp op, const ReducePart<float>& part) noexcept;
double reduce_avx2(ReduceOp op, const ReducePart<double>& part) noexcept;
double reduce_avx512(ReduceOp op, const ReducePart<float>& part) noexcept;
double reduce_avx512(ReduceOp op, const ReducePart<double>& part) noexcept;

}  // namespace benchctl::cpu_avx

// Entry points of the reduction kernels; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

/// What a part is reduced to. `squares` is the sum of the squares of scale · x, in float64 for both types:
/// squares of float32 numbers neither overflow nor vanish there; those of float64 numbers may, and are then
/// asked for again with another scale. `minimum` and `maximum` are NaN if any element is NaN.
enum class ReduceOp { sum, minimum, maximum, squares, dot };

/// How the wide kernels read a part: in order; the same, asking for lines before they need them,
/// for what lies in the last cache; several pieces of it side by side, for what comes from memory.
enum class ReduceFetch { in_order, ahead, side_by_side };

/// Reduces x[0 … count), and y for dot, to one number. Arguments in registers: by way of memory, pointers
/// that were stored side by side come back together, which a sum of a thousand elements waits for.
template <class T>
using ReduceKernel = double (*)(const T* x, const T* y, size_t count, double scale) noexcept;

// Each gives the kernel for an operation, which is asked for beforehand: to choose it on the way to a sum
// of a thousand elements takes as long as a hundred of them.

/// One element at a time, one accumulator, in order however it is asked for.
void reduce_plain(ReduceOp op, ReduceFetch fetch, ReduceKernel<float>& kernel) noexcept;
void reduce_plain(ReduceOp op, ReduceFetch fetch, ReduceKernel<double>& kernel) noexcept;
/// One element at a time, eight accumulators, the same.
void reduce_unrolled(ReduceOp op, ReduceFetch fetch, ReduceKernel<float>& kernel) noexcept;
void reduce_unrolled(ReduceOp op, ReduceFetch fetch, ReduceKernel<double>& kernel) noexcept;

/// Need AVX2 and FMA, or AVX-512F.
void reduce_avx2(ReduceOp op, ReduceFetch fetch, ReduceKernel<float>& kernel) noexcept;
void reduce_avx2(ReduceOp op, ReduceFetch fetch, ReduceKernel<double>& kernel) noexcept;
void reduce_avx512(ReduceOp op, ReduceFetch fetch, ReduceKernel<float>& kernel) noexcept;
void reduce_avx512(ReduceOp op, ReduceFetch fetch, ReduceKernel<double>& kernel) noexcept;

}  // namespace benchctl::cpu_avx

// A reduction with one atomic operation per element.
//
// What it shows   That it is right now, and slow: all updates of one address are carried out one after the other.
//                 Sums have an instruction of their own (atomicAdd), whose updates a warp or the L2 cache can take
//                 together; minimum and maximum that propagate NaN have none and repeat a
//                 compare-and-swap until nobody came in between. They first look whether the element changes
//                 anything, and soon it seldom does.
// Access pattern  Thread i reads element i; all threads update one word (one of three for norm).
// Expected limit  Atomic throughput of the L2 cache on one address: far below memory bandwidth.
//
// The order of additions changes from run to run, and the last digits of the result with it. A norm adds its
// squares up in float64, in three sums by magnitude, so that they neither overflow nor vanish. Adding float32 in
// global memory flushes denormals to zero: the table entry rules those inputs out.
//
// REAL is the element type, OP the operation; BLOCK is the number of threads of a block, which do not work together.
#include "reduce.cuh"

template <class Operation>
struct Total {
  REAL value;
  __device__ void start() { value = Operation::identity(); }
  __device__ void add(REAL x) { atomicAdd(&value, x); }
  __device__ REAL get() const { return value; }
};

using Word = unsigned long long;
inline __device__ unsigned word_of(float x) { return __float_as_uint(x); }
inline __device__ Word word_of(double x) { return static_cast<Word>(__double_as_longlong(x)); }
inline __device__ float real_of(unsigned word) { return __uint_as_float(word); }
inline __device__ double real_of(Word word) { return __longlong_as_double(static_cast<long long>(word)); }

template <class Operation>
struct Extreme {
  REAL value;
  __device__ void start() { value = Operation::identity(); }
  __device__ void add(REAL x) {
    using Bits = decltype(word_of(x));
    Bits* address = reinterpret_cast<Bits*>(&value);
    Bits seen = word_of(*static_cast<volatile REAL*>(&value));
    for (;;) {
      const Bits wanted = word_of(Operation::combine(real_of(seen), x));
      if (wanted == seen) return;
      const Bits before = atomicCAS(address, seen, wanted);
      if (before == seen) return;
      seen = before;
    }
  }
  __device__ REAL get() const { return value; }
};

template <>
struct Total<reduction::min> : Extreme<reduction::min> {};
template <>
struct Total<reduction::max> : Extreme<reduction::max> {};

/// Squares of float32 numbers are in the range of float64; those of float64 numbers may not be.
template <>
struct Total<reduction::norm> {
  double small;
  double ordinary;
  double large;
  __device__ void start() { small = ordinary = large = 0; }
  __device__ void add(REAL element) {
    const double x = reduction::norm::one(element);
    if (x > 0x1p495) {
      atomicAdd(&large, (x * 0x1p-560) * (x * 0x1p-560));
    } else if (x < 0x1p-459) {
      atomicAdd(&small, (x * 0x1p600) * (x * 0x1p600));
    } else {
      atomicAdd(&ordinary, x * x);
    }
  }
  __device__ REAL get() const {
    if (large > 0) return sqrt(large + ordinary * 0x1p-560 * 0x1p-560) * 0x1p560;
    if (ordinary == 0) return sqrt(small) * 0x1p-600;
    return sqrt(ordinary);
  }
};

extern "C" __global__ void reduce_atomic_start(Total<Op>* total) { total->start(); }

extern "C" __global__ void reduce_atomic(const REAL* __restrict__ x, const REAL* __restrict__ y, Total<Op>* total,
                                         int n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) total->add(element(x, y, i));
}

extern "C" __global__ void reduce_atomic_finish(const Total<Op>* total, REAL* result, int n) {
  *result = Op::finish(total->get(), n);
}

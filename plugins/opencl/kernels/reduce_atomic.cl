// A reduction with one atomic update per element, float32 only.
//
// What it shows   That it is right now, and slow: all updates of one address are carried out one after the other.
//                 OpenCL 1.2 has no atomic addition of floats: their bits are exchanged as an integer, if nobody came
//                 in between (compare-and-swap), and tried again otherwise. For float64 that takes 64-bit atomics,
//                 an extension (cl_khr_int64_base_atomics) that many devices lack.
// Access pattern  Work-item i reads element i; all update one word (one of three for norm).
// Expected limit  Atomic throughput on one address: far below memory bandwidth.
//
// The order of additions changes from run to run, and the last digits of the result with it. A sum of squares in one
// float stops growing at 2^24 elements: the table entry rules out norms of more.
//
// REAL is float, OP_IS_… the operation.
#include "reduce.clh"

// Tries first with a guess instead of a plain read beside the atomic writes of others.
static void combine_at(__global volatile uint* address, REAL value, bool adds) {
  uint guess = as_uint((float)IDENTITY);
  for (;;) {
    const REAL now = as_float(guess);
    const uint wanted = as_uint(adds ? now + value : combine(now, value));
    const uint seen = atomic_cmpxchg(address, guess, wanted);
    if (seen == guess) return;
    guess = seen;
  }
}

__kernel void reduce_atomic_start(__global uint* total) { total[get_global_id(0)] = as_uint((float)IDENTITY); }

__kernel void reduce_atomic(__global const REAL* restrict x, __global const REAL* restrict y,
                            __global volatile uint* total, const int n) {
  const size_t i = get_global_id(0);
  if (i >= n) return;
#if OP_IS_NORM
  // Three sums of squares by magnitude.
  Running own;
  start(&own);
  add(&own, x[i]);
  if (own.small > 0) {
    combine_at(total, own.small, true);
  } else if (own.large > 0) {
    combine_at(total + 2, own.large, true);
  } else {
    combine_at(total + 1, own.ordinary, true);
  }
#else
  combine_at(total, one(element(x, y, i)), false);
#endif
}

__kernel void reduce_atomic_finish(__global const uint* total, __global REAL* result, const int n) {
#if OP_IS_NORM
  Running all;
  all.small = as_float(total[0]);
  all.ordinary = as_float(total[1]);
  all.large = as_float(total[2]);
  *result = value_of(&all);
#else
  *result = finish(as_float(total[0]), n);
#endif
}

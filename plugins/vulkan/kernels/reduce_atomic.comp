// A reduction with one atomic update per element, float32 only.
//
// What it shows   That it is right now, and slow: all updates of one address are carried out one after the other. Atomic
//                 additions of floats are an extension: their bits are exchanged as an integer, if nobody came in between
//                 (compare-and-swap), and tried again otherwise.
// Access pattern  Invocation i reads element i; all update one word (one of three for norm).
// Expected limit  Atomic throughput on one address: far below memory bandwidth.
//
// The order of additions changes from run to run, and the last digits of the result with it. A sum of squares in one
// float stops growing at 2^24 elements: the table entry rules out norms of more.
//
// REAL is float, OP_IS_… the operation.
#include "reduce.glsl"

#if defined(reduce_atomic_start)
OUT(0, uint, total);

void reduce_atomic_start() { total[gl_GlobalInvocationID.x] = floatBitsToUint(IDENTITY); }

#elif defined(reduce_atomic_finish)
IN(0, uint, total);
OUT(1, REAL, result);
layout(push_constant) uniform Scalars { int n; };

void reduce_atomic_finish() {
#if OP_IS_NORM
  result[0] = value_of(
      Running(uintBitsToFloat(total[0]), uintBitsToFloat(total[1]), uintBitsToFloat(total[2])));
#else
  result[0] = finish(uintBitsToFloat(total[0]), n);
#endif
}

#else
IN(0, REAL, x);
IN(1, REAL, y);
SHARED_BY_ALL(2, uint, total);
layout(push_constant) uniform Scalars { int n; };

// Tries first with a guess instead of a plain read beside the atomic writes of others.
void combine_at(uint place, REAL value, bool adds) {
  uint guess = floatBitsToUint(IDENTITY);
  for (;;) {
    const REAL now = uintBitsToFloat(guess);
    const uint wanted = floatBitsToUint(adds ? now + value : combine(now, value));
    const uint seen = atomicCompSwap(total[place], guess, wanted);
    if (seen == guess) return;
    guess = seen;
  }
}

void reduce_atomic() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
#if OP_IS_NORM
  // Three sums of squares by magnitude.
  Running own = start();
  add(own, x[i]);
  if (own.small > 0) {
    combine_at(0, own.small, true);
  } else if (own.large > 0) {
    combine_at(2, own.large, true);
  } else {
    combine_at(1, own.ordinary, true);
  }
#else
  combine_at(0, one(ELEMENT(i)), false);
#endif
}
#endif

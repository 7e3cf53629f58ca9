// What the reductions have in common: the operation, and how the invocations of a workgroup join their values.
//
// Definitions that a launch gives: REAL is the element type; OP_IS_MIN, OP_IS_MAX, OP_IS_MEAN, OP_IS_NORM and OP_IS_DOT
// say which operation it is, a sum if none of them; BLOCK is the number of invocations of a workgroup.
//
// An operation is an identity element, which changes nothing it is combined with; `combine`, which is associative; `one`,
// the value of a single element; and `finish`, from the combined value of all n elements to the result. An invocation
// that takes many elements holds a `Running` value. The product of dot is formed where elements are loaded (ELEMENT),
// and from there on it is a sum.
#pragma once

#extension GL_EXT_control_flow_attributes : require
#include "kernel.glsl"

// The real with this exponent, 2^exponent.
#if USE_FP64
#define POWER(exponent) packDouble2x32(uvec2(0u, uint(1023 + (exponent)) << 20))
#define INFINITE packDouble2x32(uvec2(0u, 0x7ff00000u))
#else
#define POWER(exponent) uintBitsToFloat(uint(127 + (exponent)) << 23)
#define INFINITE uintBitsToFloat(0x7f800000u)
#endif

// IEEE 754-2019 minimum and maximum: NaN propagates. Comparisons with it are false.
#define MINIMUM(a, b) ((a) < (b) || isnan(a) ? (a) : (b))
#define MAXIMUM(a, b) ((a) > (b) || isnan(a) ? (a) : (b))

#if OP_IS_NORM
// Squares of numbers outside [SMALL, LARGE] would overflow or vanish, and sums of 2^30 squares with them. They are scaled
// by a power of two, which rounds nothing.
#if USE_FP64
#define SMALL POWER(-459)
#define LARGE POWER(495)
#define UP POWER(600)
#define DOWN POWER(-560)
#define UP_BACK POWER(-600)
#define DOWN_BACK POWER(560)
#else
#define SMALL POWER(-51)
#define LARGE POWER(48)
#define UP POWER(98)
#define DOWN POWER(-80)
#define UP_BACK POWER(-98)
#define DOWN_BACK POWER(80)
#endif

// Norms of parts combine to sqrt(a² + b²), so that one number per invocation is enough; one that adds up many elements
// keeps three sums instead, and needs one root.
#define IDENTITY REAL(0)

REAL one(REAL x) { return abs(x); }

REAL combine(REAL a, REAL b) {
  const REAL larger = MAXIMUM(a, b);
  const REAL scale = larger > LARGE ? DOWN : larger < SMALL ? UP : REAL(1);
  const REAL back = larger > LARGE ? DOWN_BACK : larger < SMALL ? UP_BACK : REAL(1);
  const REAL x = a * scale;
  const REAL y = b * scale;
  return sqrt(x * x + y * y) * back;
}

struct Running {
  REAL small;
  REAL ordinary;
  REAL large;
};

Running start() { return Running(REAL(0), REAL(0), REAL(0)); }

void add(inout Running running, REAL element) {
  const REAL x = abs(element);
  if (x > LARGE) {
    running.large += (x * DOWN) * (x * DOWN);
  } else if (x < SMALL) {
    running.small += (x * UP) * (x * UP);
  } else {
    running.ordinary += x * x;  // NaN comes here too
  }
}

REAL value_of(Running running) {
  if (running.large > 0) return sqrt(running.large + running.ordinary * DOWN * DOWN) * DOWN_BACK;
  if (running.ordinary == 0) return sqrt(running.small) * UP_BACK;
  return sqrt(running.ordinary + running.small * UP_BACK * UP_BACK);
}

#else  // the combined value is all that is needed

#if OP_IS_MIN
#define IDENTITY INFINITE
REAL combine(REAL a, REAL b) { return MINIMUM(a, b); }
#elif OP_IS_MAX
#define IDENTITY (-INFINITE)
REAL combine(REAL a, REAL b) { return MAXIMUM(a, b); }
#else
#define IDENTITY REAL(0)
REAL combine(REAL a, REAL b) { return a + b; }
#endif

REAL one(REAL x) { return x; }

struct Running {
  REAL value;
};

Running start() { return Running(IDENTITY); }
void add(inout Running running, REAL element) { running.value = combine(running.value, element); }
REAL value_of(Running running) { return running.value; }

#endif

REAL finish(REAL total, int n) {
#if OP_IS_MEAN
  return total / REAL(n);
#else
  return total;
#endif
}

// Term number i of arrays x and y: y is looked at by dot alone, and is x for all others.
#if OP_IS_DOT
#define ELEMENT(i) (x[i] * y[i])
#else
#define ELEMENT(i) (x[i])
#endif

// Adds terms number first, first + apart … below `end` to `running`. Four are loaded together: drivers do not unroll such a
// loop, and each load would wait for the addition before it.
#define ADD_TERMS(running, first, apart, end, TERM)                                        \
  {                                                                                        \
    uint at = first;                                                                       \
    for (; at + 3 * (apart) < (end); at += 4 * (apart)) {                                  \
      REAL terms[4];                                                                       \
      [[unroll]] for (uint u = 0; u < 4; ++u) terms[u] = TERM(at + u * (apart));           \
      [[unroll]] for (uint u = 0; u < 4; ++u) add(running, terms[u]);                      \
    }                                                                                      \
    for (; at < (end); at += apart) add(running, TERM(at));                                \
  }

// A workgroup's value, as a term.
#define PARTIAL(i) partial[i]

shared REAL values[BLOCK];

// Combines one value per invocation in a tree through shared memory; all get the result. Any number of invocations: what
// is left of an odd number waits for the next level. Neighbours use neighbouring words: no bank conflicts.
// Unrolled, as CUDA's compiler does by itself: as a loop, a sum of one element per invocation takes 1.4 times as long.
#define VALUES_AT(level) ((BLOCK + (1u << (level)) - 1) >> (level))

REAL group_tree(REAL value) {
  const uint levels = uint(BLOCK > 1) + uint(BLOCK > 2) + uint(BLOCK > 4) + uint(BLOCK > 8) + uint(BLOCK > 16) +
                      uint(BLOCK > 32) + uint(BLOCK > 64) + uint(BLOCK > 128) + uint(BLOCK > 256) +
                      uint(BLOCK > 512);
  const uint t = gl_LocalInvocationID.x;
  values[t] = value;
  barrier();
  [[unroll]] for (uint level = 0; level < levels; ++level) {
    const uint left = VALUES_AT(level + 1);
    if (t < VALUES_AT(level) - left) {
      value = combine(value, values[t + left]);
      values[t] = value;
    }
    barrier();
  }
  return values[0];
}

// A sum that is wrong: every invocation does result += x[i], and nothing keeps them apart.
//
// What it shows   Why it fails. The addition is three steps: load, add, store. Invocations that run side by side load the
//                 same old value and store their own sum over it; one store survives.
// Access pattern  Invocation i reads element i; all read and write one word.
// Expected limit  None worth having: it is wrong.
//
// REAL is the element type.
#include "kernel.glsl"

#ifdef reduce_racy_start
OUT(0, REAL, result);

void reduce_racy_start() { result[0] = REAL(0); }
#else
IN(0, REAL, x);
layout(std430, binding = 1) volatile buffer result_block { REAL result[]; };
layout(push_constant) uniform Scalars { int n; };

void reduce_racy() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < n) result[0] += x[i];
}
#endif

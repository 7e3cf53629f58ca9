// The copy of access_plain.comp by a chosen number of invocations, each taking one element after the other.
//
// What it shows   Latency is hidden by having many accesses under way: bandwidth grows with the invocations until it is
//                 exhausted.
// Access pattern  Of T invocations in all, number i copies elements i, i + T, i + 2T, …: each round is that of the plain
//                 kernel.
// Expected limit  T · WIDTH bytes per latency of the memory, then its bandwidth.
//
// Definitions as in access_plain.comp.
#include "access_element.glsl"
#include "access_pattern.glsl"
#include "kernel.glsl"

IN(0, ELEMENT, source);
OUT(1, ELEMENT, target);
layout(push_constant) uniform Scalars { int n; int stride; int misalign; };

void access_resident() {
  const uint all = gl_NumWorkGroups.x * LOCAL_SIZE_X;
  for (uint i = gl_GlobalInvocationID.x; i < n; i += all) {
    if (MASKED != 0 && i % 4 == 3) {
      target[i] = ELEMENT(FILL);
    } else {
      target[i] = source[misalign + PATTERN_OF(PATTERN)(i, n) * stride];
    }
  }
}

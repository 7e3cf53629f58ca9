// A copy whose reads follow a pattern, UNROLL elements per invocation: out[i] = in[misalign + f(i)·stride].
//
// What it shows   What a memory system makes of narrow and wide accesses, gaps, offsets and disorder, with everything else
//                 held still; and that a GPU's wants many bytes under way, which one narrow access per invocation does not
//                 ask for.
// Access pattern  A workgroup copies UNROLL times as many neighbouring elements as it has invocations, an invocation every
//                 LOCAL_SIZE_X-th of them: neighbours access neighbours, as with UNROLL 1. For element i it reads WIDTH
//                 bytes where PATTERN, stride and misalign say. All loads come before the first store.
// Expected limit  With enough loads under way the bytes of all pieces that the launch touches, at the granularity of the
//                 memory, over its bandwidth.
//
// WIDTH is the bytes of an element; PATTERN a word of access_pattern.glsl; MASKED 1 if invocations 3, 7, 11 … load nothing.
#extension GL_EXT_control_flow_attributes : require
#include "access_element.glsl"
#include "access_pattern.glsl"
#include "kernel.glsl"

IN(0, ELEMENT, source);
OUT(1, ELEMENT, target);
layout(push_constant) uniform Scalars { int n; int stride; int misalign; };

void access_plain() {
  const uint first = gl_WorkGroupID.x * LOCAL_SIZE_X * UNROLL + gl_LocalInvocationID.x;
  VALUE values[UNROLL];
  [[unroll]] for (uint u = 0; u < UNROLL; ++u) {
    const uint i = first + u * LOCAL_SIZE_X;
    if (i >= n) continue;
    if (MASKED != 0 && i % 4 == 3) {
      values[u] = FILL;
    } else {
      values[u] = VALUE(source[misalign + PATTERN_OF(PATTERN)(i, n) * stride]);
    }
  }
  [[unroll]] for (uint u = 0; u < UNROLL; ++u) {
    const uint i = first + u * LOCAL_SIZE_X;
    if (i < n) target[i] = ELEMENT(values[u]);
  }
}

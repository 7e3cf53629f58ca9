// A copy whose reads follow a pattern, UNROLL elements per work-item: out[i] = in[misalign + f(i)·stride].
//
// What it shows   What a memory system makes of narrow and wide accesses, gaps, offsets and disorder, with everything
//                 else held still; and that a GPU's wants many bytes under way, which one narrow access per work-item
//                 does not ask for: a copy of single floats reaches some 60 % of a Hopper GPU's memory bandwidth.
// Access pattern  A group copies UNROLL times as many neighbouring elements as it has work-items, a work-item every
//                 get_local_size(0)-th of them: neighbours access neighbours, as with UNROLL 1. For element i it reads
//                 WIDTH bytes where PATTERN, stride and misalign say. All loads come before the first store.
// Expected limit  With enough loads under way the bytes of all pieces that the launch touches, at the granularity of the
//                 memory, over its bandwidth.
//
// WIDTH is the bytes of an element; PATTERN a word of access_pattern.clh; MASKED 1 if work-items 3, 7, 11 … load nothing.
#include "access_element.clh"
#include "access_pattern.clh"

__kernel void access_plain(__global const element_t* restrict in, __global element_t* restrict out, const int n,
                           const int stride, const int misalign) {
  const size_t step = get_local_size(0);
  const size_t first = get_group_id(0) * step * UNROLL + get_local_id(0);
  element_t values[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const size_t i = first + u * step;
    if (i >= n) continue;
    if (MASKED && i % 4 == 3) {
      values[u] = FILL;
    } else {
      values[u] = in[misalign + PATTERN_OF(PATTERN)(i, n) * stride];
    }
  }
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const size_t i = first + u * step;
    if (i < n) out[i] = values[u];
  }
}

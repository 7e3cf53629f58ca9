// A copy whose reads follow a pattern, one element per work-item: out[i] = in[misalign + f(i)·stride].
//
// What it shows   What a memory system makes of narrow and wide accesses, gaps, offsets and disorder, with everything
//                 else held still.
// Access pattern  Work-item i reads WIDTH bytes where PATTERN, stride and misalign say, and writes element i.
// Expected limit  The bytes of all pieces that the launch touches, at the granularity of the memory, over its bandwidth.
//
// WIDTH is the bytes of an element; PATTERN a word of access_pattern.clh; MASKED 1 if work-items 3, 7, 11 … load nothing.
#include "access_element.clh"
#include "access_pattern.clh"

__kernel void access_plain(__global const element_t* restrict in, __global element_t* restrict out, const int n,
                           const int stride, const int misalign) {
  const size_t i = get_global_id(0);
  if (i >= n) return;
  if (MASKED && i % 4 == 3) {
    out[i] = FILL;
  } else {
    out[i] = in[misalign + PATTERN_OF(PATTERN)(i, n) * stride];
  }
}

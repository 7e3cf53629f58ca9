// A copy whose reads follow a pattern, one element per thread: out[i] = in[misalign + f(i)·stride].
//
// What it shows   What a memory system makes of narrow and wide accesses, gaps, offsets and disorder, with everything
//                 else held still.
// Access pattern  Thread i reads WIDTH bytes where PATTERN, stride and misalign say, and writes element i.
// Expected limit  The DRAM bytes of all pieces that the launch touches, at the granularity of the DRAM, over its
//                 bandwidth. Misaligned and disordered reads touch hardly more than orderly ones, and cost only
//                 where the caches' own throughput ends. One narrow access per thread leaves bandwidth unused.
//
// WIDTH is the bytes of an element; PATTERN a function of access_pattern.cuh; MASKED 1 if threads 3, 7, 11 … load
// nothing; CACHE_OP the load's cache operator.
#include "access_element.cuh"
#include "access_pattern.cuh"

extern "C" __global__ void access_plain(const Element* in, Element* out, int n, int stride, int misalign) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Element value;
  if (MASKED && i % 4 == 3) {
    fill(value);
  } else {
    value = load(in + misalign + PATTERN(i, n) * stride);
  }
  out[i] = value;
}

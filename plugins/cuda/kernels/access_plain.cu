// A copy whose reads follow a pattern, UNROLL elements per thread: out[i] = in[misalign + f(i)·stride].
//
// What it shows   What a memory system makes of narrow and wide accesses, gaps, offsets and disorder, with everything
//                 else held still; and that it wants many bytes under way, which one narrow access per thread does not
//                 ask for: on an H100 one float per thread copies 2^24 floats in 53 us, where the memory needs 31.
// Access pattern  A block copies UNROLL times as many neighbouring elements as it has threads, a thread every
//                 blockDim.x-th of them, so that each access of a warp is that of 32 neighbours, as with UNROLL 1. For
//                 element i it reads WIDTH bytes where PATTERN, stride and misalign say. All loads come before the
//                 first store, which would wait for its value.
// Expected limit  With enough loads under way the DRAM bytes of all pieces that the launch touches, at the granularity
//                 of the DRAM, over its bandwidth; with fewer, bytes in flight over the memory's latency, some 60 % of
//                 that with UNROLL 1 and floats. Misaligned and disordered reads touch hardly more than orderly ones,
//                 and cost only where the caches' own throughput ends.
//
// WIDTH is the bytes of an element; PATTERN a function of access_pattern.cuh; MASKED 1 if threads 3, 7, 11 … load
// nothing; CACHE_OP the load's cache operator.
#include "access_element.cuh"
#include "access_pattern.cuh"

extern "C" __global__ void access_plain(const Element* in, Element* out, int n, int stride, int misalign) {
  const size_t first = size_t{blockIdx.x} * blockDim.x * UNROLL + threadIdx.x;
  Element values[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const size_t i = first + u * blockDim.x;
    if (i >= n) continue;
    if (MASKED && i % 4 == 3) {
      fill(values[u]);
    } else {
      values[u] = load(in + misalign + PATTERN(i, n) * stride);
    }
  }
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const size_t i = first + u * blockDim.x;
    if (i < n) out[i] = values[u];
  }
}

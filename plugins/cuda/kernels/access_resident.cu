// The copy of access_plain.cu by a chosen number of threads, each taking one element after the other.
//
// What it shows   Latency is hidden by having many accesses under way: a thread has one at a time, so that the bytes
//                 in flight are the threads times WIDTH. Bandwidth grows with the threads until it is exhausted.
// Access pattern  Of T threads in all, thread i copies elements i, i + T, i + 2T, …: each round is that of the plain
//                 kernel.
// Expected limit  T · WIDTH bytes per latency of the memory, then its bandwidth (or what one access per thread can
//                 reach of it).
//
// Definitions as in access_plain.cu.
#include "access_element.cuh"
#include "access_pattern.cuh"

extern "C" __global__ void access_resident(const Element* in, Element* out, int n, int stride, int misalign) {
  const size_t threads = size_t{gridDim.x} * blockDim.x;
  // Unrolled, a thread would have several loads under way.
#pragma unroll 1
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
    Element value;
    if (MASKED && i % 4 == 3) {
      fill(value);
    } else {
      value = load(in + misalign + PATTERN(i, n) * stride);
    }
    out[i] = value;
  }
}

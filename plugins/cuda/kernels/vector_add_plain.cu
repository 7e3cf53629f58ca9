// Vector addition, one element per thread: c = a + b.
//
// What it shows   The textbook's first kernel. Coalesced, and still not the whole bandwidth of a new GPU: with four
//                 bytes per load a thread has too few bytes in flight.
// Access pattern  Thread i touches element i of a, b and c: a warp moves three runs of 128 bytes (of float).
// Expected limit  Memory bandwidth: twelve bytes of float per addition.
//
// REAL is the element type: float or double.
extern "C" __global__ void vector_add_plain(const REAL* __restrict__ a, const REAL* __restrict__ b,
                                            REAL* __restrict__ c, int n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Copy, PACKS packs of WIDTH neighbouring elements per thread: out = in.
//
// What it shows   How many bytes per thread have to be under way before the memory is busy.
// Access pattern  A block copies a run of PACKS · blockDim packs; thread t takes the packs t, t + blockDim, … of it, so
//                 that each access of a warp is one run of 32 packs. All loads of a thread come before its stores.
//                 The elements that fill no pack are copied one by one.
// Expected limit  Memory bandwidth: the roof of a transpose.
//
// REAL is the element type; WIDTH · sizeof(REAL) is at most 16 bytes, what one load instruction can take.
struct alignas(WIDTH * sizeof(REAL)) Pack {
  REAL element[WIDTH];
};

extern "C" __global__ void copy_vectorized(const REAL* __restrict__ in, REAL* __restrict__ out, int n) {
  const size_t whole = n / WIDTH;
  const size_t first = size_t{blockIdx.x} * blockDim.x * PACKS + threadIdx.x;
  const Pack* from = reinterpret_cast<const Pack*>(in);
  Pack* to = reinterpret_cast<Pack*>(out);
  Pack held[PACKS];
#pragma unroll
  for (int j = 0; j < PACKS; ++j) {
    const size_t pack = first + size_t{j} * blockDim.x;
    if (pack < whole) held[j] = from[pack];
  }
#pragma unroll
  for (int j = 0; j < PACKS; ++j) {
    const size_t pack = first + size_t{j} * blockDim.x;
    if (pack < whole) to[pack] = held[j];
  }
  const size_t rest = whole * WIDTH + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) out[rest] = in[rest];
}

// Empties the caches of everything else: reads a buffer that is larger than the L2 cache.
//
// Access pattern  All threads together walk through the buffer, 16 bytes each, coalesced.
// Why it writes   Loads whose values nobody uses would be removed by the compiler. The buffer holds zeros, so the
//                 condition never holds and nothing is written.
extern "C" __global__ void evict(const uint4* __restrict__ buffer, size_t words, unsigned* __restrict__ sink) {
  const size_t threads = size_t{gridDim.x} * blockDim.x;
  unsigned bits = 0;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += threads) {
    const uint4 word = buffer[i];
    bits |= word.x | word.y | word.z | word.w;
  }
  if (bits != 0) *sink = bits;
}

// Reads a buffer: block b adds up the words of segment b mod (count of segments), 64 KiB each.
//
// What it shows   How fast data can be read, out of memory or, where there are more blocks than segments, again
//                 and again out of the second-level cache. A sum over every word is the least that proves it.
//                 With PERIOD = 2 every other piece of 64 bytes, the first among them, is read and the others are not.
// Access pattern  UNROLL loads of 16 bytes per thread in flight, block by block: a warp reads 512 bytes in one run.
// Expected limit  Memory bandwidth; that of the second-level cache where the buffer fits into it (LOAD = cg keeps
//                 the first level out of it).
//
// BLOCK is the number of threads, a multiple of 32; PERIOD is 1 or 2; n counts words of 4 bytes.
#include "peaks_memory.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK)
    peaks_read(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n) {
  constexpr unsigned segment_words = 16384;
  const unsigned segments = (unsigned(n) + segment_words - 1) / segment_words;
  const size_t first = size_t{blockIdx.x % segments} * segment_words;
  const unsigned words = n - first < segment_words ? unsigned(n - first) : segment_words;
  const uint4* pieces = reinterpret_cast<const uint4*>(in + first);
  constexpr unsigned group_words = 16 * PERIOD;  // of which 16 are read
  const unsigned groups = words / group_words;
  const unsigned count = groups * 4;
  const auto place = [](unsigned p) { return p / 4 * (4 * PERIOD) + p % 4; };

  unsigned sum = 0;
  unsigned p = threadIdx.x;
  for (; p + (UNROLL - 1) * BLOCK < count; p += UNROLL * BLOCK) {
    uint4 piece[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) piece[u] = load_piece(pieces + place(p + u * BLOCK));
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) sum += piece[u].x + piece[u].y + piece[u].z + piece[u].w;
  }
  for (; p < count; p += BLOCK) {
    const uint4 piece = load_piece(pieces + place(p));
    sum += piece.x + piece.y + piece.z + piece.w;
  }
  const unsigned rest = groups * group_words + threadIdx.x;
  if (threadIdx.x < 16 && rest < words) sum += in[first + rest];

  __shared__ unsigned sum_of_warp[BLOCK / 32];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffff, sum, distance);
  if (threadIdx.x % 32 == 0) sum_of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned total = 0;
    for (int warp = 0; warp < BLOCK / 32; ++warp) total += sum_of_warp[warp];
    out[blockIdx.x] = total;
  }
}

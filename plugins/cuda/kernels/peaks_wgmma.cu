// Matrix multiply-accumulates of warpgroups and nothing else: D ← D + A·B, `rounds` times, with A one of three in
// turn. For sm_90a.
//
// What it shows   The roof of Hopper's tensor cores. Four warps issue one `wgmma` for 64×256 elements of D, and it
//                 reads B from shared memory by itself.
// Access pattern  A warpgroup holds 64×256 elements of D and the three A in registers; B, 16×256, lies in shared
//                 memory, in pieces of 8 columns × 16 bytes that cover all banks. With a thousand rounds loading
//                 them is nothing.
// Expected limit  The tensor cores: 64·256·16 products take bf16 128 cycles, in which shared memory has to deliver
//                 8 KB (64 cycles). Two warpgroups take turns.
//
// TF32 is 1 for tf32 and 0 for bf16; `n` counts elements of D. Everything is whole numbers that are exact in the
// narrow types and in float.
#include "mma_types.cuh"
#include "wgmma.cuh"

constexpr int slabs = 3;   // matrices A
constexpr int depth = 16;  // products of a round
constexpr int columns = 256;
constexpr int tile = 64 * columns;
#if TF32
constexpr int steps = 2;  // instructions of k = 8 per round
constexpr int row_bytes = 4 * depth;
#else
constexpr int steps = 1;  // of k = 16
constexpr int row_bytes = 2 * depth;
#endif
constexpr unsigned piece_bytes = 128;
constexpr unsigned stride_bytes = row_bytes / 16 * piece_bytes;

__device__ inline void round_of(float (&d)[128], const unsigned (&a)[steps][4], unsigned b) {
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const unsigned long long b_of_step =
        matrix_descriptor(b + step * 2 * piece_bytes, piece_bytes, stride_bytes, Swizzle::none);
#if TF32
    wgmma_tf32(d, a[step], b_of_step, 1);
#else
    wgmma_bf16(d, a[step], b_of_step, 1);
#endif
  }
}

extern "C" __global__ void __launch_bounds__(256, 1)
    peaks_wgmma(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n, int rounds) {
  __shared__ alignas(1024) unsigned b_of[columns * row_bytes / 4];
  const int warp = threadIdx.x / 32 % 4;
  const int g = threadIdx.x % 32 / 4;
  const int t = threadIdx.x % 4;

  for (int word = threadIdx.x; word < columns * row_bytes / 4; word += 256) {
    const int column = word % columns;
    const int place = word / columns;  // which 4 bytes of the column
#if TF32
    const unsigned value = as_tf32(b[place * columns + column]);
#else
    const unsigned value = as_bf16_pair(b[2 * place * columns + column], b[(2 * place + 1) * columns + column]);
#endif
    b_of[(column / 8 * stride_bytes + place / 4 * piece_bytes + column % 8 * 16) / 4 + place % 4] = value;
  }
  fence_async_proxy();
  __syncthreads();

  unsigned a_of[slabs][steps][4];
#pragma unroll
  for (int slab = 0; slab < slabs; ++slab) {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const int row = 16 * warp + g + part % 2 * 8;
        const float* from = a + (row * slabs + slab) * depth;
#if TF32
        a_of[slab][step][part] = as_tf32(from[8 * step + t + part / 2 * 4]);
#else
        const int k = 2 * t + part / 2 * 8;
        a_of[slab][step][part] = as_bf16_pair(from[k], from[k + 1]);
#endif
      }
    }
  }

  const unsigned b_address = shared_address(b_of);
  float d[128] = {};
  int round = 0;
  for (; round + slabs <= rounds; round += slabs) {
    wgmma_fence();
#pragma unroll
    for (int slab = 0; slab < slabs; ++slab) round_of(d, a_of[slab], b_address);
    wgmma_commit();
    wgmma_wait<1>();
  }
  wgmma_fence();
  if (round < rounds) round_of(d, a_of[0], b_address);
  if (round + 1 < rounds) round_of(d, a_of[1], b_address);
  wgmma_commit();
  wgmma_wait<0>();

  const size_t first = (size_t{blockIdx.x} * 2 + threadIdx.x / 128) * tile;
#pragma unroll
  for (int j = 0; j < 32; ++j) {
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      const int row = 16 * warp + g + part / 2 * 8;
      const size_t at = first + row * columns + 8 * j + 2 * t + part % 2;
      if (at < n) out[at] = d[4 * j + part];
    }
  }
}

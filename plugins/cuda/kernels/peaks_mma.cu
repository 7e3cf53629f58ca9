// Matrix multiply-accumulates of warps and nothing else: D ← D + A·B, `rounds` times, with A one of three in turn.
//
// What it shows   The roof of the tensor cores as `mma.sync` reaches it, which every GPU from compute capability
//                 8.0 on has. On Hopper that is some 70 % of what the chip can do: the rest takes `wgmma`.
// Access pattern  A warp holds 32×64 elements of D, a 16×64 piece of B and 32×16 pieces of the three A in registers;
//                 they are loaded once. Its multiply-accumulates of one round are independent of one another.
// Expected limit  The tensor cores.
//
// TF32 is 1 for tf32 and 0 for bf16. Four warps have 32 rows of the tile of 64×256 that repeats; `n` counts
// elements of D. Everything is whole numbers that are exact in the narrow types and in float.
#include "mma_types.cuh"

constexpr int slabs = 3;    // matrices A
constexpr int depth = 16;   // products of a round
constexpr int columns = 256;
constexpr int row_tiles = 2;     // of 16 rows per warp
constexpr int column_tiles = 8;  // of 8 columns per warp
#if TF32
constexpr int steps = 2;  // instructions of k = 8 per round
#else
constexpr int steps = 1;  // of k = 16
#endif

__device__ inline void round_of(float (&d)[row_tiles][column_tiles][4], const unsigned (&a)[row_tiles][steps][4],
                                const unsigned (&b)[column_tiles][steps][2]) {
#pragma unroll
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int i = 0; i < row_tiles; ++i) {
#pragma unroll
      for (int j = 0; j < column_tiles; ++j) {
#if TF32
        mma_tf32(d[i][j], a[i][step], b[j][step]);
#else
        mma_bf16(d[i][j], a[i][step], b[j][step]);
#endif
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(128)
    peaks_mma(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n, int rounds) {
  const int g = threadIdx.x % 32 / 4;
  const int t = threadIdx.x % 4;
  const int first_row = blockIdx.x % 2 * 32;
  const int first_column = threadIdx.x / 32 * 64;

  unsigned a_of[slabs][row_tiles][steps][4];
  unsigned b_of[column_tiles][steps][2];
#pragma unroll
  for (int slab = 0; slab < slabs; ++slab) {
#pragma unroll
    for (int i = 0; i < row_tiles; ++i) {
#pragma unroll
      for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int part = 0; part < 4; ++part) {
          const int row = first_row + 16 * i + g + part % 2 * 8;
          const float* from = a + (row * slabs + slab) * depth;
#if TF32
          a_of[slab][i][step][part] = as_tf32(from[8 * step + t + part / 2 * 4]);
#else
          const int k = 2 * t + part / 2 * 8;
          a_of[slab][i][step][part] = as_bf16_pair(from[k], from[k + 1]);
#endif
        }
      }
    }
  }
#pragma unroll
  for (int j = 0; j < column_tiles; ++j) {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        const float* from = b + first_column + 8 * j + g;
#if TF32
        b_of[j][step][part] = as_tf32(from[(8 * step + t + part * 4) * columns]);
#else
        const int k = 2 * t + part * 8;
        b_of[j][step][part] = as_bf16_pair(from[k * columns], from[(k + 1) * columns]);
#endif
      }
    }
  }

  float d[row_tiles][column_tiles][4] = {};
  int round = 0;
  for (; round + slabs <= rounds; round += slabs) {
#pragma unroll
    for (int slab = 0; slab < slabs; ++slab) round_of(d, a_of[slab], b_of);
  }
  if (round < rounds) round_of(d, a_of[0], b_of);
  if (round + 1 < rounds) round_of(d, a_of[1], b_of);

  const size_t block = size_t{blockIdx.x} * (32 * columns);
#pragma unroll
  for (int i = 0; i < row_tiles; ++i) {
#pragma unroll
    for (int j = 0; j < column_tiles; ++j) {
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const int row = 16 * i + g + part / 2 * 8;
        const size_t at = block + row * columns + first_column + 8 * j + 2 * t + part % 2;
        if (at < n) out[at] = d[i][j][part];
      }
    }
  }
}

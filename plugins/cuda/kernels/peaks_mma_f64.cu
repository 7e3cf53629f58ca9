// Matrix multiply-accumulates in double precision and nothing else: D ← D + A·B, `rounds` times, with A one of three in
// turn.
//
// What it shows   The roof of the tensor cores in double precision: on an H200 twice that of ordinary multiply-adds.
// Access pattern  A warp holds 16×32 elements of D, a 16×32 piece of B and 16×16 pieces of the three A in registers;
//                 they are loaded once. Its multiply-accumulates of one step are independent of one another.
// Expected limit  The tensor cores; on GPUs that are not made for computing, what stands in for them.
//
// Eight warps have 16 rows of the tile of 64×256 that repeats; `n` counts elements of D. Everything is whole numbers.
#include "mma_f64.cuh"

constexpr int slabs = 3;   // matrices A
constexpr int depth = 16;  // products of a round
constexpr int columns = 256;
constexpr int column_tiles = 4;  // of 8 columns per warp
constexpr int steps = 2;         // instructions of k = 8 per round

__device__ inline void round_of(double (&d)[column_tiles][4], const double (&a)[steps][4],
                                const double (&b)[steps][column_tiles][2]) {
#pragma unroll
  for (int step = 0; step < steps; ++step) mma_f64(d, a[step], b[step], [](int) {});
}

extern "C" __global__ void __launch_bounds__(256)
    peaks_mma_f64(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ out, int n,
                  int rounds) {
  const int g = threadIdx.x % 32 / 4;
  const int t = threadIdx.x % 4;
  const int first_row = blockIdx.x % 4 * 16;
  const int first_column = threadIdx.x / 32 * (8 * column_tiles);

  double a_of[slabs][steps][4];
  double b_of[steps][column_tiles][2];
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const int k = 8 * step + t;
#pragma unroll
    for (int slab = 0; slab < slabs; ++slab) {
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const int row = first_row + g + part % 2 * 8;
        a_of[slab][step][part] = a[(row * slabs + slab) * depth + k + part / 2 * 4];
      }
    }
#pragma unroll
    for (int j = 0; j < column_tiles; ++j) {
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        b_of[step][j][part] = b[(k + 4 * part) * columns + first_column + 8 * j + g];
      }
    }
  }

  double d[column_tiles][4] = {};
  int round = 0;
  for (; round + slabs <= rounds; round += slabs) {
#pragma unroll
    for (int slab = 0; slab < slabs; ++slab) round_of(d, a_of[slab], b_of);
  }
  if (round < rounds) round_of(d, a_of[0], b_of);
  if (round + 1 < rounds) round_of(d, a_of[1], b_of);

  const size_t block = size_t{blockIdx.x} * (16 * columns);
#pragma unroll
  for (int j = 0; j < column_tiles; ++j) {
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      const int row = g + part / 2 * 8;
      const size_t at = block + row * columns + first_column + 8 * j + 2 * t + part % 2;
      if (at < n) out[at] = d[j][part];
    }
  }
}

// Matrix multiplication of float matrices on Hopper's tensor cores, at the accuracy of float arithmetic: C (m×n) =
// A (m×k) · B (k×n), row-major. For sm_90a.
//
// What it shows   A float is, to 22 of its 24 digits, the sum of two tf32 numbers: x = high + low. Of the four products
//                 of two such sums three count; low · low is below the last digit. Three tensor core products in place
//                 of one, each of them eight times as fast as ordinary arithmetic.
//                 Tensor cores cut off what does not fit into a sum, always towards zero, so that over thousands of
//                 products an error builds up. So a sum stays in them for PROMOTE slabs only and is then added, in
//                 ordinary, rounding arithmetic, to that of the tile.
//                 A's two parts are made by a kernel of their own (split_tf32.cu), those of B in registers. For the
//                 rest see matmul_wgmma_tf32.cu.
// Access pattern  As there, with two slabs of A.
// Arithmetic      2·m·n·k operations that count, 6·m·n·k that the tensor cores do. A slab of a tile of 128×128: 48 KB for
//                 3.1 million operations, 66 per byte from the second-level cache. 64 additions per thread and PROMOTE
//                 slabs beside 12 · PROMOTE wgmma of 64 cycles.
// Expected limit  A third of the tensor cores' rate (peaks/mma_tf32).
//
// TILE_M and TILE_N are 128, DEPTH 32 (the host needs the first and the last, too); BAND as there. n and k are multiples
// of 4. What lies outside of the matrices counts as zero. Where an input is infinite or no number, so is what becomes of it;
// C may then have no number where float arithmetic has infinity.
#include "mma_types.cuh"
#include "tile_copy.cuh"
#include "wgmma.cuh"
#include "wgmma_left_columns.cuh"

constexpr int tile_m = TILE_M;
constexpr int tile_n = TILE_N;
constexpr int depth = DEPTH;
constexpr unsigned a_bytes = tile_m * depth * 4;  // of one of its parts
constexpr unsigned b_piece_bytes = depth * b_piece_rows_bytes;
constexpr unsigned stage_bytes = 2 * a_bytes + tile_n / 32 * b_piece_bytes;
constexpr int warps = 8;  // that multiply

/// B's part of a slab, as the left operand.
struct Fragments {
  unsigned high[depth / 8][4];
  unsigned low[depth / 8][4];
};

extern "C" __global__ void __launch_bounds__(384, 1)
    matmul_wgmma_3xtf32(const __grid_constant__ TensorMap high_map, const __grid_constant__ TensorMap low_map,
                        const __grid_constant__ TensorMap b_map, float* __restrict__ C, int m, int n, int k) {
  extern __shared__ unsigned char shared_memory[];
  __shared__ alignas(8) unsigned long long barriers[2 * STAGES];
  const unsigned stages = (shared_address(shared_memory) + 1023) / 1024 * 1024;  // the swizzle's period
  const unsigned full = shared_address(barriers);
  const unsigned empty = full + 8 * STAGES;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      barrier_init(full + 8 * stage, 1);
      barrier_init(empty + 8 * stage, warps);
    }
    fence_barrier_init();
  }
  __syncthreads();

  const unsigned tiles_m = (unsigned(m) + tile_m - 1) / tile_m;
  const unsigned tiles_n = (unsigned(n) + tile_n - 1) / tile_n;
  const int chunks = int((unsigned(k) + PROMOTE * depth - 1) / (PROMOTE * depth));  // the last one's end may be zeros
  Ring<STAGES> ring;

  if (threadIdx.x < 128) {
    give_registers<40>();
    if (threadIdx.x != 0) return;
    for (unsigned tile = blockIdx.x; tile < tiles_m * tiles_n; tile += gridDim.x) {
      const TileNumbers at = tile_numbers(tile, tiles_m, tiles_n, BAND);
      for (int slab = 0; slab < chunks * PROMOTE; ++slab, ring.advance()) {
        const unsigned stage = stages + ring.stage * stage_bytes;
        const unsigned barrier = full + 8 * ring.stage;
        barrier_wait(empty + 8 * ring.stage, ring.parity ^ 1);
        barrier_expect(barrier, stage_bytes);
        copy_rectangle(stage, high_map, slab * depth, at.row * tile_m, barrier);
        copy_rectangle(stage + a_bytes, low_map, slab * depth, at.row * tile_m, barrier);
#pragma unroll
        for (int piece = 0; piece < tile_n / 32; ++piece) {
          copy_rectangle(stage + 2 * a_bytes + piece * b_piece_bytes, b_map, at.column * tile_n + piece * 32,
                         slab * depth, barrier);
        }
      }
    }
    return;
  }

  take_registers<232>();
  const LeftColumns columns(int(threadIdx.x) - 128, depth);
  float d[tile_m / 2];
  const auto multiply = [&](Fragments& fragments, bool is_first) {
    const unsigned stage = stages + ring.stage * stage_bytes;
    barrier_wait(full + 8 * ring.stage, ring.parity);
#pragma unroll
    for (int step = 0; step < depth / 8; ++step) {
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const unsigned word = columns.word(stage + 2 * a_bytes, step, part);
        fragments.high[step][part] = high_tf32(word);
        fragments.low[step][part] = low_tf32(word);
      }
    }
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < depth / 8; ++step) {
      const auto high = matrix_descriptor(stage + step * 32, 16, 1024, Swizzle::bytes_128);
      const auto low = matrix_descriptor(stage + a_bytes + step * 32, 16, 1024, Swizzle::bytes_128);
      wgmma_tf32(d, fragments.low[step], high, !is_first || step > 0);
      wgmma_tf32(d, fragments.high[step], low, 1);
      wgmma_tf32(d, fragments.high[step], high, 1);
    }
    wgmma_commit();
  };
  const auto release = [&](int stage) {
    if (columns.lane == 0) barrier_arrive(empty + 8 * stage);
  };

  for (unsigned tile = blockIdx.x; tile < tiles_m * tiles_n; tile += gridDim.x) {
    float sums[tile_m / 2] = {};
    for (int chunk = 0; chunk < chunks; ++chunk) {
      Fragments fragments[2];
      int previous = 0;
#pragma unroll
      for (int slab = 0; slab < PROMOTE; ++slab) {
        multiply(fragments[slab % 2], slab == 0);
        if (slab > 0) {
          wgmma_wait<1>();  // the slab before has been read, and its fragments may be overwritten
          release(previous);
        }
        previous = ring.stage;
        ring.advance();
      }
      wgmma_wait<0>();
      release(previous);
#pragma unroll
      for (int i = 0; i < tile_m / 2; ++i) sums[i] += d[i];
    }
    columns.store<tile_m, tile_n>(sums, C, tile_numbers(tile, tiles_m, tiles_n, BAND), m, n);
  }
}

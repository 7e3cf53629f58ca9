// Matrix multiplication of float matrices, rounded to tf32, on Hopper's tensor cores: C (m×n) = A (m×k) · B (k×n),
// row-major. For sm_90a.
//
// What it shows   What to do when the instruction cannot take a matrix as it lies. In tf32 wgmma wants both operands
//                 along k, and a row-major B lies across k. But Cᵀ = Bᵀ·Aᵀ is the same product with A in B's place,
//                 along k as it has to be, and the left operand, now Bᵀ, may come from registers, into which each
//                 thread can load what it likes. For the rest see matmul_wgmma_bf16.cu: one thread feeds the copy
//                 engine, two warpgroups multiply, 64 columns of C × TILE_M rows each, for 256 rows with 128 sums per thread.
// Access pattern  The copy engine rounds to tf32 on the way. A thread loads single words of B, a warp's from 32 banks
//                 (wgmma_left_columns.cuh). C is written in runs of 32 bytes, after lanes have exchanged halves.
// Arithmetic      2·m·n·k operations. A slab of a tile of 256×128: 48 KB for 2.1 million operations, 43 per byte from the
//                 second-level cache. Per wgmma of 64×256×8, 128 cycles of the tensor cores, shared memory delivers
//                 8 KB to it and 2 KB to registers in 80.
// Expected limit  The tensor cores (peaks/mma_tf32). Small products: there are fewer tiles than
//                 multiprocessors.
//
// TILE_M is 256 or 128, TILE_N 128, DEPTH 32 (the host needs the first and the last too); BAND is the height in tiles of the bands in which blocks
// go through C. n and k are multiples of 4: the copy engine wants rows that begin at multiples of 16 bytes. What lies outside of
// A and B counts as zero.
#include "tile_copy.cuh"
#include "wgmma.cuh"
#include "wgmma_left_columns.cuh"

constexpr int tile_m = TILE_M;
constexpr int tile_n = TILE_N;
constexpr int depth = DEPTH;
constexpr unsigned a_bytes = tile_m * depth * 4;
constexpr unsigned b_piece_bytes = depth * b_piece_rows_bytes;  // 32 columns
constexpr unsigned stage_bytes = a_bytes + tile_n / 32 * b_piece_bytes;
constexpr int warps = 8;  // that multiply

using Fragments = unsigned[depth / 8][4];

extern "C" __global__ void __launch_bounds__(384, 1)
    matmul_wgmma_tf32(const __grid_constant__ TensorMap a_map, const __grid_constant__ TensorMap b_map,
                      float* __restrict__ C, int m, int n, int k) {
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
  const int slabs = int((unsigned(k) + 2 * depth - 1) / (2 * depth)) * 2;  // even; one more may be all zeros
  Ring<STAGES> ring;

  if (threadIdx.x < 128) {
    give_registers<40>();
    if (threadIdx.x != 0) return;
    for (unsigned tile = blockIdx.x; tile < tiles_m * tiles_n; tile += gridDim.x) {
      const TileNumbers at = tile_numbers(tile, tiles_m, tiles_n, BAND);
      for (int slab = 0; slab < slabs; ++slab, ring.advance()) {
        const unsigned stage = stages + ring.stage * stage_bytes;
        const unsigned barrier = full + 8 * ring.stage;
        barrier_wait(empty + 8 * ring.stage, ring.parity ^ 1);
        barrier_expect(barrier, stage_bytes);
        copy_rectangle(stage, a_map, slab * depth, at.row * tile_m, barrier);
#pragma unroll
        for (int piece = 0; piece < tile_n / 32; ++piece) {
          copy_rectangle(stage + a_bytes + piece * b_piece_bytes, b_map, at.column * tile_n + piece * 32, slab * depth,
                         barrier);
        }
      }
    }
    return;
  }

  take_registers<232>();
  const LeftColumns columns(int(threadIdx.x) - 128, depth);
  const int lane = columns.lane;

  float d[tile_m / 2];
  unsigned previous = 0;
  const auto multiply = [&](Fragments& fragments, int slab) {
    const unsigned stage = stages + ring.stage * stage_bytes;
    barrier_wait(full + 8 * ring.stage, ring.parity);
#pragma unroll
    for (int step = 0; step < depth / 8; ++step) {
#pragma unroll
      for (int part = 0; part < 4; ++part) fragments[step][part] = columns.word(stage + a_bytes, step, part);
    }
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < depth / 8; ++step) {
      wgmma_tf32(d, fragments[step], matrix_descriptor(stage + step * 32, 16, 1024, Swizzle::bytes_128),
                 slab > 0 || step > 0);
    }
    wgmma_commit();
    wgmma_wait<1>();  // the slab before has been read, and its fragments may be overwritten
    if (slab > 0 && lane == 0) barrier_arrive(previous);
    previous = empty + 8 * ring.stage;
    ring.advance();
  };

  for (unsigned tile = blockIdx.x; tile < tiles_m * tiles_n; tile += gridDim.x) {
    Fragments even;
    Fragments odd;
    for (int slab = 0; slab < slabs; slab += 2) {
      multiply(even, slab);
      multiply(odd, slab + 1);
    }
    wgmma_wait<0>();
    if (lane == 0) barrier_arrive(previous);

    columns.store<tile_m, tile_n>(d, C, tile_numbers(tile, tiles_m, tiles_n, BAND), m, n);
  }
}

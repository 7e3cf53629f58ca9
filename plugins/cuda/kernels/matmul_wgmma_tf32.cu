// Matrix multiplication of float matrices, rounded to tf32, on Hopper's tensor cores: C (m×n) = A (m×k) · B (k×n),
// row-major. For sm_90a.
//
// What it shows   What to do when the instruction cannot take a matrix as it lies. In tf32 wgmma wants both operands
//                 along k, and a row-major B lies across k. But Cᵀ = Bᵀ·Aᵀ is the same product with A in B's place,
//                 along k as it has to be, and the left operand, now Bᵀ, may come from registers, into which each
//                 thread can load what it likes. For the rest see matmul_wgmma_bf16.cu: one thread feeds the copy
//                 engine, two warpgroups multiply, 64 columns of C × TILE_M rows each, for 256 rows with 128 sums per thread.
// Access pattern  The copy engine rounds to tf32 on the way and writes rows of 128 bytes with their 16-byte pieces
//                 swizzled: piece p of row r lies at p xor (r mod 8). A thread loads single words of B. Which columns of
//                 C the rows of the left operand stand for is free; they are chosen so that the 32 words of a warp's
//                 load lie in 32 banks: 4 rows (k) × two pieces of 4 words, pieces p and p + 4.
//                 C is written in runs of 32 bytes, after lanes have exchanged halves.
// Arithmetic      2·m·n·k operations. A slab of a tile of 256×128: 48 KB for 2.1 million operations, 43 per byte from the
//                 second-level cache. Per wgmma of 64×256×8, 128 cycles of the tensor cores, shared memory delivers
//                 8 KB to it and 2 KB to registers in 80.
// Expected limit  The tensor cores (peaks/mma_tf32). Small products: there are fewer tiles than
//                 multiprocessors.
//
// TILE_M is 256 or 128, TILE_N 128, DEPTH 32 (the host needs the first and the last too); BAND is the height in tiles of the bands in which blocks
// go through C. n and k are multiples of 4: the copy engine wants rows that begin at multiples of 16 bytes. What lies outside of
// A and B counts as zero.
#include "mma_types.cuh"
#include "tile_copy.cuh"
#include "wgmma.cuh"

constexpr int tile_m = TILE_M;
constexpr int tile_n = TILE_N;
constexpr int depth = DEPTH;
constexpr unsigned a_bytes = tile_m * depth * 4;
constexpr unsigned b_piece_bytes = 32 * depth * 4;  // 32 columns
constexpr unsigned stage_bytes = a_bytes + tile_n / 32 * b_piece_bytes;
constexpr int warps = 8;  // that multiply

using Fragments = unsigned[depth / 8][4];

__device__ inline unsigned shared_word(unsigned address) {
  unsigned word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}

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
  const int group = threadIdx.x / 128 - 1;
  const int warp = threadIdx.x % 128 / 32;
  const int lane = threadIdx.x % 32;
  const int g = lane / 4;
  const int t = lane % 4;
  // Rows g and g + 8 of the warp's part of the left operand: column g % 4 of pieces p and p + 1 among the 8 pieces of
  // the 32 columns that two warps share. The fragment's parts: row g or g + 8 (part % 2), k = t or t + 4 (part / 2).
  const int piece = 4 * (g / 4) + 2 * (warp % 2);
  const int columns_of_warps = group * 64 + warp / 2 * 32;
  unsigned place[4];
#pragma unroll
  for (int part = 0; part < 4; ++part) {
    const int row = t + part / 2 * 4;
    place[part] = a_bytes + columns_of_warps / 32 * b_piece_bytes + row * 128 + ((piece + part % 2) ^ row) * 16 + g % 4 * 4;
  }

  float d[tile_m / 2];
  unsigned previous = 0;
  const auto multiply = [&](Fragments& fragments, int slab) {
    const unsigned stage = stages + ring.stage * stage_bytes;
    barrier_wait(full + 8 * ring.stage, ring.parity);
#pragma unroll
    for (int step = 0; step < depth / 8; ++step) {
#pragma unroll
      for (int part = 0; part < 4; ++part) fragments[step][part] = shared_word(stage + place[part] + step * 1024);
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

    // A lane has column `p` of piece `piece` (rows g of Cᵀ) and of the next (rows g + 8). Lanes with g < 4 and g ≥ 4
    // exchange one of the two, so that all lanes together write two neighbouring pieces at once: first those that
    // belong to g < 4, then the others.
    const TileNumbers at = tile_numbers(tile, tiles_m, tiles_n, BAND);
    const bool upper = g >= 4;
    const int column = int(at.column) * tile_n + columns_of_warps + (2 * (warp % 2) + (upper ? 1 : 0)) * 4 + g % 4;
#pragma unroll
    for (int j = 0; j < tile_m / 8; ++j) {
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        const float of_g = d[4 * j + part];
        const float of_g_and_8 = d[4 * j + part + 2];
        const float mine = upper ? of_g_and_8 : of_g;
        const float theirs = __shfl_xor_sync(0xffffffff, upper ? of_g : of_g_and_8, 16);
        const size_t row = size_t{at.row} * tile_m + 8 * j + 2 * t + part;
        if (row < m) {
          float* to = C + row * n + column;
          if (column < n) to[0] = upper ? theirs : mine;
          if (column + 16 < n) to[16] = upper ? mine : theirs;
        }
      }
    }
  }
}

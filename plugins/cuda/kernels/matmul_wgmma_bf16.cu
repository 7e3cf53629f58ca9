// Matrix multiplication of bf16 matrices on Hopper's tensor cores: C (m×n) = A (m×k) · B (k×n), row-major. For sm_90a.
//
// What it shows   How to keep `wgmma` busy. A block computes 128×TILE_N elements of C at a time and goes on to the next
//                 (one block per multiprocessor). One thread of a warpgroup does nothing but feed the copy engine,
//                 which fills a ring of STAGES slabs, 64 along k each; two warpgroups multiply, 64×TILE_N elements of C
//                 each, for 256 columns in 128 registers per thread. Nobody waits for anybody but by barriers: "full" when a slab's bytes
//                 have come, "empty" when both warpgroups have read it. While the last tile is written, the first
//                 slabs of the next are on their way.
// Access pattern  The copy engine writes rows of 128 bytes, their 16-byte pieces swizzled so that wgmma meets no bank
//                 conflicts. A lies along k. B is row-major too, so it lies across k: bf16 may, and wgmma transposes.
//                 C goes from registers to memory in runs of 32 bytes.
// Arithmetic      2·m·n·k operations. A slab of a tile of 128×256: 48 KB for 4.2 million operations, 85 per byte from the
//                 second-level cache. Per wgmma of 64×256×16, 128 cycles of the tensor cores, shared memory delivers
//                 10 KB in 80.
// Expected limit  The tensor cores (peaks/mma_bf16), and the clock that the power limit allows. Small products: there are fewer
//                 tiles than multiprocessors.
//
// TILE_M is 128, DEPTH 64 (the host needs them too) and TILE_N 256 or 128; BAND is the height in tiles of the bands in which blocks
// go through C. n and k are multiples of 8: the copy engine wants rows that begin at multiples of 16 bytes. What lies outside of
// A and B counts as zero.
#include "mma_types.cuh"
#include "tile_copy.cuh"
#include "wgmma.cuh"

constexpr int tile_m = TILE_M;
constexpr int tile_n = TILE_N;
constexpr int depth = DEPTH;
constexpr unsigned a_bytes = tile_m * depth * 2;
constexpr unsigned b_piece_bytes = 64 * depth * 2;  // 64 columns
constexpr unsigned stage_bytes = a_bytes + tile_n / 64 * b_piece_bytes;
constexpr int warps = 8;  // that multiply

/// Eight columns' width, twice: of lane 4·g + t the words of columns 2·t, 2·t + 1 of two neighbouring eights. Even
/// lanes write four columns of the first, odd lanes four of the second, so that a row's 32 bytes are written at once.
__device__ inline void store_sixteen(unsigned short* row, int column, unsigned first, unsigned second, int n) {
  const int t = threadIdx.x % 4;
  const bool odd = t % 2 != 0;
  const unsigned received = __shfl_xor_sync(0xffffffff, odd ? first : second, 1);
  const int at = column + (odd ? 8 : 0) + t / 2 * 4;
  if (row != nullptr && at < n) {
    *reinterpret_cast<uint2*>(row + at) = odd ? make_uint2(received, second) : make_uint2(first, received);
  }
}

extern "C" __global__ void __launch_bounds__(384, 1)
    matmul_wgmma_bf16(const __grid_constant__ TensorMap a_map, const __grid_constant__ TensorMap b_map,
                      unsigned short* __restrict__ C, int m, int n, int k) {
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
  const int slabs = int((unsigned(k) + depth - 1) / depth);
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
        for (int piece = 0; piece < tile_n / 64; ++piece) {
          copy_rectangle(stage + a_bytes + piece * b_piece_bytes, b_map, at.column * tile_n + piece * 64, slab * depth,
                         barrier);
        }
      }
    }
    return;
  }

  take_registers<232>();
  const int group = threadIdx.x / 128 - 1;
  const int lane = threadIdx.x % 32;
  float d[tile_n / 2];
  for (unsigned tile = blockIdx.x; tile < tiles_m * tiles_n; tile += gridDim.x) {
    unsigned previous = 0;
    for (int slab = 0; slab < slabs; ++slab, ring.advance()) {
      const unsigned a = stages + ring.stage * stage_bytes + group * (64 * depth * 2);
      const unsigned b = stages + ring.stage * stage_bytes + a_bytes;
      barrier_wait(full + 8 * ring.stage, ring.parity);
      wgmma_fence();
#pragma unroll
      for (int step = 0; step < depth / 16; ++step) {
        wgmma_bf16_across(d, matrix_descriptor(a + step * 32, 16, 1024, Swizzle::bytes_128),
                          matrix_descriptor(b + step * 2048, b_piece_bytes, 1024, Swizzle::bytes_128),
                          slab > 0 || step > 0);
      }
      wgmma_commit();
      wgmma_wait<1>();  // the slab before has been read
      if (slab > 0 && lane == 0) barrier_arrive(previous);
      previous = empty + 8 * ring.stage;
    }
    wgmma_wait<0>();
    if (lane == 0) barrier_arrive(previous);

    const TileNumbers at = tile_numbers(tile, tiles_m, tiles_n, BAND);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const size_t row =
          size_t{at.row} * tile_m + group * 64 + threadIdx.x % 128 / 32 * 16 + half * 8 + lane / 4;
      unsigned short* to = row < m ? C + row * n : nullptr;
#pragma unroll
      for (int j = 0; j < tile_n / 8; j += 2) {
        store_sixteen(to, int(at.column) * tile_n + 8 * j, as_bf16_pair(d[4 * j + 2 * half], d[4 * j + 2 * half + 1]),
                      as_bf16_pair(d[4 * j + 4 + 2 * half], d[4 * j + 5 + 2 * half]), n);
      }
    }
  }
}

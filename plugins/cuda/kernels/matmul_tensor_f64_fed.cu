// Matrix multiplication in double precision on tensor cores, fed by warps of their own: C (m×n) = A (m×k) · B (k×n),
// row-major. For sm_90a.
//
// What it shows   What matmul_tensor_f64.cu computes with the same instruction, 16×8 += 16×8 · 8×8, is quicker where the warps
//                 that multiply do nothing else. A block computes TILE_M×TILE_N elements of C, a warp WARP_M×WARP_N of them in
//                 registers. Along k it walks in slabs of DEPTH, STAGES of which lie in shared memory. Other warps bring them
//                 (fed_f64_feeders.cuh): one thread by the copy engine where rows begin at multiples of 16 bytes, otherwise
//                 FEEDERS warps double by double. Nobody waits for anybody but by barriers: "full" when a slab is there,
//                 "empty" when all warps have read it. The operands of an instruction take the registers of those that have been
//                 used, half a step ahead, across slabs, too; with LATER = 1 not right behind the instruction, which still
//                 reads them, but behind the next one.
// Access pattern  Rows of 128 bytes, their 16-byte pieces swizzled. C is computed transposed, so that lanes load two doubles
//                 at a time without bank conflicts (fed_f64_operands.cuh).
//                 Where feeding is left to a warp that multiplies the others wait for it: 128×128 at 2048 takes 358 µs, fed by
//                 a warp of its own 309. Double by double every second row of odd length costs no more than the others: 703
//                 takes 18.6 µs instead of 20.7 by copies of 16 bytes that begin a double early.
// Arithmetic      2·m·n·k operations. Per 8 of k and warp of 32×32: 4 KB out of shared memory for 16384 operations. Per
//                 block of 64×64: 8 operations per byte from the second-level cache, of 128×128: 16.
// Expected limit  The tensor cores, for long the power that they take. Where a multiprocessor has one tile of 64×64: the
//                 second-level cache, 32 bytes per cycle and multiprocessor.
//
// What is outside the matrices counts as zero and is not read. With SLICES = 2 two warps each have the same part of the tile and
// take half of the steps of every slab; they add up their sums through shared memory, for which a block must have one tile.
// Blocks go through C in bands of BAND tiles' height. RESIDENT blocks are to run on a multiprocessor.
//
// With SPLITS > 1 as many blocks work on a tile, each on a part of the slabs, of which there must be as many at least. They
// leave their sums in `partial`, and the one that ends last adds them up in the order of the parts: the result does not change
// from run to run. `finished` counts them per tile; it is zero before and after.
#include "fed_f64_feeders.cuh"
#include "fed_f64_operands.cuh"
#include "fed_f64_results.cuh"

/// Addresses in shared memory; a barrier per stage.
struct Memory {
  unsigned first;  // stage
  unsigned full;
  unsigned empty;

  __device__ explicit Memory(const void* shared)
      : first(unsigned(__cvta_generic_to_shared(shared))), full(first + STAGES * stage_bytes), empty(full + 8 * STAGES) {
    if (threadIdx.x == 0) {
      for (int stage = 0; stage < STAGES; ++stage) {
        barrier_init(full + 8 * stage, Feeder::arrivals);
        barrier_init(empty + 8 * stage, warps);
      }
      fence_barrier_init();
    }
    __syncthreads();
  }
};

/// Tiles of C, of which a block takes every gridDim.x-th.
struct Tiles {
  unsigned rows;
  unsigned columns;

  __device__ Tiles(int m, int n) : rows((unsigned(m) + TILE_M - 1) / TILE_M), columns((unsigned(n) + TILE_N - 1) / TILE_N) {}
  __device__ unsigned count() const { return rows * columns; }
  __device__ TileNumbers at(unsigned tile) const { return tile_numbers(tile, rows, columns, BAND); }
};

/// The slabs of k that a block takes of each of its tiles.
struct Slabs {
  int first;
  int count;

  __device__ explicit Slabs(int k) {
    const unsigned all = (unsigned(k) + DEPTH - 1) / DEPTH;
    // In 64 bits, since 64 parts of the longest sums overflow 32.
    first = SPLITS > 1 ? int(size_t{all} * blockIdx.y / SPLITS) : 0;
    count = (SPLITS > 1 ? int(size_t{all} * (blockIdx.y + 1) / SPLITS) : int(all)) - first;
  }
};

__device__ inline void feed(const Memory& memory, Feeder::OfA A, Feeder::OfB B, const Tiles& tiles, int m, int n, int k) {
  if (!Feeder::takes_part()) return;
  const Slabs slabs(k);
  Ring<STAGES> ring;
  ring.parity = 1;  // of the phase before the first, which has ended
#pragma unroll 1
  for (unsigned tile = blockIdx.x; tile < tiles.count(); tile += gridDim.x) {
    const TileNumbers at = tiles.at(tile);
    Feeder feeder(A, B, at.row * TILE_M, at.column * TILE_N, m, n, k, slabs.first);
#pragma unroll 1
    for (int left = slabs.count; left > 0; --left) {
      barrier_wait(memory.empty + 8 * ring.stage, ring.parity);
      feeder.copy(memory.first + ring.stage * stage_bytes, memory.full + 8 * ring.stage);
      ring.advance();
    }
  }
}

/// Adds up the products of the next `slabs` slabs in the ring.
__device__ inline void multiply_slabs(Sums& sums, const OperandPlaces& places, const Memory& memory, Ring<STAGES>& ring,
                                      int slabs) {
  static_assert(!LATER || (row_blocks > 1 && column_blocks > 1));
  Operands of;
  barrier_wait(memory.full + 8 * ring.stage, ring.parity);
  places.load(of, ring.stage * stage_bytes);
#pragma unroll 1
  for (int left = slabs; left > 0; --left) {
    const int stage = ring.stage;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      const bool last = step == steps - 1;
#pragma unroll
      for (int j = 0; j < column_blocks; ++j) {
#pragma unroll
        for (int i = 0; i < row_blocks; ++i) {
          mma_f64(sums.at[j][i], of.b[j], of.a[i]);
          if (LATER && i + j == 0) {
            places.load_a(of, stage * stage_bytes, step, row_blocks - 1);
            places.load_b(of, stage * stage_bytes, step, column_blocks - 1);
          }
          if (last && j == 0 && i == LATER) {
            ring.advance();
            // Behind the last slab what is loaded is not used.
            if (left > 1) barrier_wait(memory.full + 8 * ring.stage, ring.parity);
          }
          const unsigned from = (last ? ring.stage : stage) * stage_bytes;
          const int next = last ? 0 : step + 1;
          if (j == column_blocks - 1 && i >= LATER) places.load_a(of, from, next, i - LATER);
          if (!LATER && i == row_blocks - 1) places.load_b(of, from, next, j);
          if (LATER && i == 0 && j > 0) places.load_b(of, from, next, j - 1);
        }
      }
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) barrier_arrive(memory.empty + 8 * stage);
  }
}

extern "C" __global__ void __launch_bounds__(threads, RESIDENT)
    matmul_tensor_f64_fed(
#if COPY_ENGINE
        const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B,
#else
        const double* __restrict__ A, const double* __restrict__ B,
#endif
        double* __restrict__ C, double2* partial, unsigned* finished, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char shared_memory[];
  const Memory memory(shared_memory);
  const Tiles tiles(m, n);
  const int warp = threadIdx.x / 32;
  if (warp >= warps) {
    if (gives_registers) give_registers<registers_of_feeders>();
    feed(memory, A, B, tiles, m, n, k);
    return;
  }
  if (gives_registers) take_registers<registers_to_multiply>();
  const int slice = warp / warps_of_tile;
  const int row = warp / warps_n % warps_m * WARP_M;
  const int column = warp % warps_n * WARP_N;
  const OperandPlaces places(memory.first, row, column, slice);
  Ring<STAGES> ring;
#pragma unroll 1
  for (unsigned tile = blockIdx.x; tile < tiles.count(); tile += gridDim.x) {
    Sums sums = {};
    multiply_slabs(sums, places, memory, ring, Slabs(k).count);
    if (SLICES > 1) join_slices(sums, reinterpret_cast<double2*>(shared_memory), slice);
#if SPLITS > 1
    if (!join_parts(sums, partial, finished, reinterpret_cast<unsigned*>(shared_memory), slice)) return;
#endif
    const TileNumbers at = tiles.at(tile);
    store_sums(sums, C, at.row * TILE_M + row, at.column * TILE_N + column, slice, m, n);
  }
}

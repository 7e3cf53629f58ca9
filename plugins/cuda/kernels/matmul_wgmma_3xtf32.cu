// Matrix multiplication of float matrices on Hopper's tensor cores, at the accuracy of float arithmetic: C (m×n) =
// A (m×k) · B (k×n), row-major. For sm_90a.
//
// What it shows   A float is, to 22 of its 24 digits, the sum of two tf32 numbers: x = high + low. In the four products
//                 of two such sums three count; low · low is below the last digit. Three tensor core products in place
//                 of one, each of them eight times as fast as ordinary arithmetic.
//                 Tensor cores cut off what does not fit into a sum, always towards zero, so that over thousands of
//                 products an error builds up. So a sum stays in them for PROMOTE slabs only and is then added, in
//                 ordinary, rounding arithmetic, to that of the tile.
//                 B's two parts are made in registers. Those of A are made by a kernel of their own (split_tf32.cu) where
//                 APART is 1, and where it is 0 by three warps of each block that feeds on A as it is: the tensor cores
//                 ignore the digits beyond tf32, so A itself stands for its high part, cut off, and the warps write what
//                 is missing, rounded to tf32, beside it. The launch and two thirds of A's traffic are saved.
//                 For the rest see matmul_wgmma_tf32.cu.
// Access pattern  As there, with two slabs of A.
// Arithmetic      2·m·n·k operations that count, 6·m·n·k that the tensor cores do. A slab of a tile of 128×128: 48 KB for
//                 3.1 million operations, 66 per byte (32 KB and 98 where APART is 0) from the second-level cache. 64
//                 additions per thread and PROMOTE slabs beside 12 · PROMOTE wgmma of 64 cycles.
// Expected limit  A third of the tensor cores' rate (peaks/mma_tf32).
//
// TILE_M is a multiple of 16 · SPLITS up to 128, TILE_N 64 or 128, DEPTH 32 (the host needs them, too), SHARE and ACROSS
// 1; BAND as there. n and k are multiples of 4, or A and B copies, as there. What lies outside of the matrices counts as
// zero. Where an input is infinite or no number, so is what becomes of it; C may then have no number where float
// arithmetic has infinity.
#include "launch_order.cuh"
#include "mma_types.cuh"
#include "wgmma.cuh"
#include "wgmma_left_columns.cuh"
#include "wgmma_pipeline.cuh"

constexpr int tile_m = TILE_M;
constexpr int tile_n = TILE_N;
constexpr int depth = DEPTH;
constexpr int groups = tile_n / 64;
constexpr int multipliers = 128 * groups;         // threads
constexpr unsigned a_bytes = tile_m * depth * 4;  // of one of its parts
constexpr unsigned b_piece_bytes = depth * b_piece_rows_bytes;
constexpr unsigned stage_bytes = 2 * a_bytes + tile_n / 32 * b_piece_bytes;
constexpr unsigned copied_bytes = APART ? stage_bytes : stage_bytes - a_bytes;
constexpr int sums_per_thread = tile_m / 2;
constexpr int stored_rows = tile_m / SPLITS;  // of the tile, by this block
constexpr int parting_warps = 3;              // that take A apart
static_assert(SHARE == 1 && ACROSS == 1, "a block fetches what it needs for itself");

/// B's part of a slab, as the left operand.
struct Fragments {
  unsigned high[depth / 8][4];
  unsigned low[depth / 8][4];
};

/// What a tensor core misses of a float, rounded to tf32.
__device__ inline float rest_of(float x) {
  return __uint_as_float(as_tf32(x - __uint_as_float(__float_as_uint(x) & 0xffffe000)));
}

/// Beside A's part of a slab, at `a`, what tensor cores miss of it: of thread `thread` every so many 16 bytes.
__device__ inline void take_apart(unsigned a, int thread) {
  constexpr int threads = 32 * parting_warps;
  constexpr int packs = a_bytes / 16;
#pragma unroll
  for (int first = 0; first < packs; first += 2 * threads) {
    float4 x[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int pack = first + i * threads + thread;
      if (pack < packs) x[i] = shared_quad(a + pack * 16);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int pack = first + i * threads + thread;
      if (pack < packs) {
        put_shared(a + a_bytes + pack * 16,
                   make_float4(rest_of(x[i].x), rest_of(x[i].y), rest_of(x[i].z), rest_of(x[i].w)));
      }
    }
  }
  fence_async_proxy();
}

extern "C" __global__ void __cluster_dims__(cluster) __launch_bounds__(feeders + multipliers, 1)
    matmul_wgmma_3xtf32(const __grid_constant__ TensorMap high_map, const __grid_constant__ TensorMap low_map,
                        const __grid_constant__ TensorMap b_map, float* __restrict__ C, int m, int n, int k) {
  extern __shared__ unsigned char shared_memory[];
  __shared__ alignas(8) unsigned long long barrier_memory[3 * STAGES + 1];
  const unsigned stages = (shared_address(shared_memory) + 1023) / 1024 * 1024;  // the swizzle's period
  const unsigned joined = stages + STAGES * stage_bytes;
  const unsigned rows = joined + joined_bytes<sums_per_thread, multipliers>;
  const unsigned apart = shared_address(barrier_memory + 2 * STAGES + 1);  // of each stage: A has been taken apart
  if (threadIdx.x == 0) {
    prefetch_map(high_map);
    prefetch_map(b_map);
  }
  if (threadIdx.x == feeders) {
    for (int stage = 0; stage < STAGES; ++stage) barrier_init(apart + 8 * stage, parting_warps);
  }
  const Barriers barriers =
      start_block<feeders, STAGES, 4 * groups>(shared_address(barrier_memory), joined_bytes<sums_per_thread, multipliers>);
  const Member member;
  const Tiles tiles = Tiles::of<tile_m, tile_n>(m, n);
  const Slabs slabs = Slabs::of(k, depth, PROMOTE, member);  // the last ones may be zeros
  Ring<STAGES> ring;

  if (threadIdx.x < feeders) {
    give_registers<registers_of_feeders>();
    if (threadIdx.x >= 32 && !APART) {
      for (unsigned tile = Tiles::first(); tile < tiles.count(); tile += Tiles::step()) {
        for (int slab = slabs.begin; slab < slabs.end; ++slab, ring.advance()) {
          barrier_wait(barriers.full + 8 * ring.stage, ring.parity);
          take_apart(stages + ring.stage * stage_bytes, int(threadIdx.x) - 32);
          __syncwarp();
          if (threadIdx.x % 32 == 0) barrier_arrive(apart + 8 * ring.stage);
        }
      }
    }
    if (threadIdx.x != 0) return;
    await_launch_before();
    for (unsigned tile = Tiles::first(); tile < tiles.count(); tile += Tiles::step()) {
      const Corner at = corner_of<tile_m, tile_n>(tile, tiles, member, m, n);
      for (int slab = slabs.begin; slab < slabs.end; ++slab, ring.advance()) {
        const unsigned stage = stages + ring.stage * stage_bytes;
        const unsigned barrier = barriers.full + 8 * ring.stage;
        barrier_wait(barriers.empty + 8 * ring.stage, ring.parity ^ 1);
        barrier_expect(barrier, copied_bytes);
        copy_rectangle(stage, high_map, slab * depth, at.row, barrier);
        if (APART) copy_rectangle(stage + a_bytes, low_map, slab * depth, at.row, barrier);
#pragma unroll
        for (int piece = 0; piece < tile_n / 32; ++piece) {
          copy_rectangle(stage + 2 * a_bytes + piece * b_piece_bytes, b_map, at.column + piece * 32, slab * depth,
                         barrier);
        }
      }
    }
    return;
  }

  if (groups > 1) take_registers<registers_to_multiply<groups>>();
  const int thread = int(threadIdx.x) - feeders;
  const LeftColumns columns(thread, depth);
  float d[sums_per_thread];
  const auto multiply = [&](Fragments& fragments, bool is_first) {
    const unsigned stage = stages + ring.stage * stage_bytes;
    barrier_wait(barriers.full + 8 * ring.stage, ring.parity);
#pragma unroll
    for (int step = 0; step < depth / 8; ++step) {
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const unsigned word = columns.word(stage + 2 * a_bytes, step, part);
        fragments.high[step][part] = high_tf32(word);
        fragments.low[step][part] = low_tf32(word);
      }
    }
    if (!APART) barrier_wait(apart + 8 * ring.stage, ring.parity);
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

  for (unsigned tile = Tiles::first(); tile < tiles.count(); tile += Tiles::step()) {
    float sums[sums_per_thread] = {};
    for (int chunk = slabs.begin; chunk < slabs.end; chunk += PROMOTE) {
      Fragments fragments[2];
      int previous = 0;
#pragma unroll
      for (int slab = 0; slab < PROMOTE; ++slab) {
        multiply(fragments[slab % 2], slab == 0);
        if (slab > 0) {
          wgmma_wait<1>();  // the slab before has been read, and its fragments may be overwritten
          release_stage(barriers, member, previous);
        }
        previous = ring.stage;
        ring.advance();
      }
      wgmma_wait<0>();
      release_stage(barriers, member, previous);
#pragma unroll
      for (int i = 0; i < sums_per_thread; ++i) sums[i] += d[i];
    }
    float own[sums_per_thread / SPLITS];
    join_parts<multipliers>(sums, own, joined, barriers, member, thread);
    const Corner at = corner_of<tile_m, tile_n>(tile, tiles, member, m, n);
    columns.store<stored_rows>(own, C, at.row + int(member.split()) * stored_rows, at.column, m, n, rows);
  }
}

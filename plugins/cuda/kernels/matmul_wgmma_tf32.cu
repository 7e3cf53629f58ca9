// Matrix multiplication of float matrices, rounded to tf32, on Hopper's tensor cores: C (m×n) = A (m×k) · B (k×n),
// row-major. For sm_90a.
//
// What it shows   What to do when the instruction cannot take a matrix as it lies. In tf32 wgmma wants both operands
//                 along k, and a row-major B lies across k. But Cᵀ = Bᵀ·Aᵀ is the same product with A in B's place,
//                 along k as it has to be, and the left operand, now Bᵀ, may come from registers, into which each
//                 thread can load what it likes. For the rest see matmul_wgmma_bf16.cu: one thread feeds the copy
//                 engine, up to three warpgroups multiply, 64 columns of C × TILE_M rows each, for 256 rows with 128 sums
//                 per thread; SPLITS blocks share the sums of a tile; SHARE and ACROSS blocks fetch B and A for each
//                 other; LATE rows of C leave while the next tile is multiplied (wgmma_late_rows.cuh).
// Access pattern  The copy engine rounds to tf32 on the way. A thread loads single words of B, a warp's from 32 banks
//                 (wgmma_left_columns.cuh). C goes through shared memory and out in runs of 256 bytes.
// Arithmetic      2·m·n·k operations. A slab of a tile of 256×128: 48 KB for 2.1 million operations, 43 per byte from the
//                 second-level cache. Per wgmma of 64×256×8, 128 cycles of the tensor cores, shared memory delivers
//                 8 KB to it and 2 KB to registers in 80.
// Expected limit  The tensor cores (peaks/mma_tf32). Small products: how fast slabs come, and starting and ending.
//
// TILE_M is a multiple of 16 · SPLITS up to 256, TILE_N 64, 128 or 192, DEPTH 32 (the host needs them, too), SHARE up to
// 4; BAND is the height in tiles of the bands in which blocks go through C; LATE is a multiple of 16, and SPLITS 1 where
// it is not 0. n and k are multiples of 4: the copy engine wants rows that begin at multiples of 16 bytes. Where they are
// not, A and B are copies, as there, and LATE is 0. What lies outside of A and B counts as zero.
#include "launch_order.cuh"
#include "wgmma.cuh"
#include "wgmma_late_rows.cuh"
#include "wgmma_left_columns.cuh"
#include "wgmma_pipeline.cuh"
#include "wgmma_slab_source.cuh"

constexpr int tile_m = TILE_M;
constexpr int tile_n = TILE_N;
constexpr int depth = DEPTH;
constexpr int groups = tile_n / 64;
constexpr int multipliers = 128 * groups;  // threads
using Source = SlabSource<tile_m, depth, tile_n / 32, 32>;
constexpr unsigned a_bytes = Source::a_bytes;
constexpr unsigned stage_bytes = Source::stage_bytes;
constexpr int sums = tile_m / 2;              // of a thread
constexpr int stored_rows = tile_m / SPLITS;  // of the tile, by this block

using Fragments = unsigned[depth / 8][4];

extern "C" __global__ void __cluster_dims__(cluster) __launch_bounds__(feeders + multipliers, 1)
    matmul_wgmma_tf32(const __grid_constant__ TensorMap a_map, const __grid_constant__ TensorMap b_map,
                      float* __restrict__ C, int m, int n, int k) {
  extern __shared__ unsigned char shared_memory[];
  __shared__ alignas(8) unsigned long long barrier_memory[2 * STAGES + 1];
  const unsigned stages = (shared_address(shared_memory) + 1023) / 1024 * 1024;  // the swizzle's period
  const unsigned joined = stages + STAGES * stage_bytes;
  const unsigned rows = joined + joined_bytes<sums, multipliers>;
  if (threadIdx.x == 0) {
    prefetch_map(a_map);
    prefetch_map(b_map);
  }
  const Barriers barriers =
      start_block<feeders, STAGES, 4 * groups>(shared_address(barrier_memory), joined_bytes<sums, multipliers>);
  const Member member;
  const Tiles tiles = Tiles::of<tile_m, tile_n>(m, n);
  const Slabs slabs = Slabs::of(k, depth, 2, member);  // pairs: one more may be all zeros
  const Source source{a_map, b_map, member, m};
  Ring<STAGES> ring;

  if (threadIdx.x < feeders) {
    give_registers<registers_of_feeders>();
    if (threadIdx.x != 0) return;
    await_launch_before();
    for (unsigned tile = Tiles::first(); tile < tiles.count(); tile += Tiles::step()) {
      const Corner at = corner_of<tile_m, tile_n>(tile, tiles, member, m, n);
      for (int slab = slabs.begin; slab < slabs.end; ++slab, ring.advance()) {
        const unsigned stage = stages + ring.stage * stage_bytes;
        const unsigned barrier = barriers.full + 8 * ring.stage;
        barrier_wait(barriers.empty + 8 * ring.stage, ring.parity ^ 1);
        source.fetch_own(slab, at, stage, barrier);
        source.fetch_for_others(slab, at, stage, barrier);
      }
    }
    return;
  }

  if (groups > 1) take_registers<registers_to_multiply<groups>>();
  const int thread = int(threadIdx.x) - feeders;
  const LeftColumns columns(thread, depth);

  // Nobody waits for room for the last slabs, and a block that has ended must not be told of it.
  int needed_again = slabs.count() * tiles.turns() - STAGES;
  float d[sums];
  int previous = 0;
  const int group = columns.in_warps / 64;
  LateRows<LeftColumns, tile_m, LATE> late{columns, rows + group * (LATE * LeftColumns::row_bytes), group,
                                            group * 64};
  const auto multiply = [&](Fragments& fragments, int slab) {
    const unsigned stage = stages + ring.stage * stage_bytes;
    barrier_wait(barriers.full + 8 * ring.stage, ring.parity);
#pragma unroll
    for (int step = 0; step < depth / 8; ++step) {
#pragma unroll
      for (int part = 0; part < 4; ++part) fragments[step][part] = columns.word(stage + a_bytes, step, part);
    }
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < depth / 8; ++step) {
      wgmma_tf32(d, fragments[step], matrix_descriptor(stage + step * 32, 16, 1024, Swizzle::bytes_128),
                 SPLITS > 1 || slab > slabs.begin || step > 0);
    }
    wgmma_commit();
    late.write_some(C, m, n);
    wgmma_wait<1>();  // the slab before has been read, and its fragments may be overwritten
    if (slab > slabs.begin && needed_again-- > 0) release_stage(barriers, member, previous);
    previous = ring.stage;
    ring.advance();
  };

  for (unsigned tile = Tiles::first(); tile < tiles.count(); tile += Tiles::step()) {
    const Corner at = corner_of<tile_m, tile_n>(tile, tiles, member, m, n);
    if (SPLITS > 1) {  // a part may be empty
#pragma unroll
      for (int i = 0; i < sums; ++i) d[i] = 0;
    }
    Fragments even;
    Fragments odd;
    for (int slab = slabs.begin; slab < slabs.end; slab += 2) {
      multiply(even, slab);
      multiply(odd, slab + 1);
    }
    wgmma_wait<0>();
    if (slabs.begin < slabs.end && needed_again-- > 0) release_stage(barriers, member, previous);

    if constexpr (LATE > 0) {
      late.take(d, C, at, m, n);
    } else {
      float own[sums / SPLITS];
      join_parts<multipliers>(d, own, joined, barriers, member, thread);
      columns.store<stored_rows>(own, C, at.row + int(member.split()) * stored_rows, at.column, m, n, rows);
    }
  }
  late.write_rest(C, m, n);
}

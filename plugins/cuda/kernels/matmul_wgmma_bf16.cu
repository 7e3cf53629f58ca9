// Matrix multiplication of bf16 matrices on Hopper's tensor cores: C (m×n) = A (m×k) · B (k×n), row-major. For sm_90a.
//
// What it shows   How to keep `wgmma` busy. A block computes TILE_M×TILE_N elements of C at a time and goes on to the next
//                 (one block per multiprocessor). Up to three warpgroups multiply, 64 columns of C each, and one thread of
//                 a warp behind them does nothing but feed the copy engine, which fills a ring of STAGES slabs, 64 along k
//                 each. Wider tiles are two warpgroups', 128 or 192 columns each, two or three instructions for a step of k:
//                 160 sums per thread, for which the feeder's warpgroup gives its registers away. 40960 elements of C
//                 instead of 32768 share what is fetched, and more widths fit C: 5000 takes 5 turns of 160×256, 7 of
//                 256×128. Nobody waits for anybody but by barriers: "full" when a slab's bytes have come, "empty" when all
//                 warpgroups have read it. While the last tile is written, the first slabs of the next are on their way.
//                 The instruction's 64 rows are columns of C, Cᵀ = Bᵀ·Aᵀ, and its up to 256 columns are rows of C: so
//                 TILE_M may be any multiple of 8, and tiles can be cut such that all multiprocessors have one.
//                 Where a product is small (wgmma_pipeline.cuh): SPLITS blocks share the sums of a tile, each for a part
//                 of k, and add them up through each other's shared memory; SHARE blocks below each other fetch B for
//                 each other and ACROSS blocks beside each other A, since what counts then is how many rows the copy
//                 engine has to ask for. What a block needs for itself it fetches before the others have begun.
//                 Where a block has several tiles, LATE rows of each stay in shared memory and leave while the next is
//                 multiplied (wgmma_late_rows.cuh).
//                 Blocks go through C in bands of BAND rows of tiles: with few of them blocks that run at the same time
//                 ask the second-level cache for the same more often.
// Access pattern  The copy engine writes rows of 128 bytes, their 16-byte pieces swizzled so that wgmma meets no bank
//                 conflicts. A lies along k. B is row-major too, so it lies across k: bf16 may, and wgmma transposes.
//                 C goes through shared memory, transposed on the way, and out in whole rows of the tile. Rows that do
//                 not begin at multiples of 128 bytes cost the copy engine twice. Small instructions follow each other
//                 closely: the words that describe their operands are one addition away from those of a whole ring.
// Arithmetic      2·m·n·k operations. A slab of a tile of 256×128: 48 KB for 4.2 million operations, 85 per byte from the
//                 second-level cache. Per wgmma of 64×256×16, 128 cycles of the tensor cores, shared memory delivers
//                 10 KB in 80.
// Expected limit  The tensor cores (peaks/mma_bf16), and the clock that the power limit allows. Small products: how fast
//                 slabs come (64 bytes per cycle), starting, and ending: C leaves at some 11 bytes per cycle.
//
// TILE_M is a multiple of 8 · SPLITS from 8 to 256, TILE_N 64, 128, 192 or, where SPLITS is 1, 256 or 384, DEPTH 64 (the
// host needs them, too); BAND is the height in tiles of the bands in which blocks go through C; LATE is 0, TILE_M or, as TILE_M then, a multiple of 16,
// and SPLITS 1 where it is not 0. n and k are multiples of 8: the copy engine wants rows that begin at multiples of 16
// bytes. Where they are not, A and B are copies (repack_rows.cu), of which the maps know, LATE is 0, and C_BYTES says that
// rows of C begin anywhere (unaligned_rows.cuh). What lies outside of A and B counts as zero.
#include "launch_order.cuh"
#include "mma_types.cuh"
#include "wgmma.cuh"
#include "wgmma_late_rows.cuh"
#include "wgmma_pipeline.cuh"
#include "wgmma_slab_source.cuh"

constexpr int tile_m = TILE_M;
constexpr int tile_n = TILE_N;
constexpr int depth = DEPTH;
constexpr int pieces = tile_n > 192 ? tile_n / 128 : 1;  // of 64 columns, of each warpgroup
constexpr int groups = tile_n / 64 / pieces;
constexpr int multipliers = 128 * groups;  // threads
constexpr int feeder = multipliers;        // the first thread of those behind them
constexpr bool deals_registers = pieces > 1;
using Source = SlabSource<tile_m, depth, tile_n / 64, 64>;
constexpr unsigned a_bytes = Source::a_bytes;
constexpr unsigned b_piece_bytes = Source::b_piece_bytes;
constexpr unsigned stage_bytes = Source::stage_bytes;
constexpr int early = STAGES < 3 ? STAGES : 3;  // slabs that a block begins to fetch before the others have begun
constexpr int sums = tile_m / 2;               // of a thread, of each piece
constexpr int stored_rows = tile_m / SPLITS;   // of the tile, by this block
constexpr int most_rows_at_once = pieces > 1 ? 32 : 64;
constexpr int rows_at_once = stored_rows < most_rows_at_once ? stored_rows : most_rows_at_once;
// Whole rows of the tile are written where a block has one tile. Where tiles follow each other warpgroups write their
// columns without waiting for each other.
constexpr int groups_together = tile_m > 128 || pieces > 1 ? 1 : groups;
constexpr int columns_together = 64 * groups_together;
constexpr int pitch = columns_together * 2 + 16;  // of C's rows in shared memory, in bytes: no bank conflicts

/// Matrices of 8×8, transposed: lanes 8·i … have the addresses of the rows of matrix i.
__device__ inline void put_matrices(unsigned row, unsigned a, unsigned b) {
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(row), "r"(a), "r"(b) : "memory");
}
__device__ inline void put_matrices(unsigned row, unsigned a, unsigned b, unsigned c, unsigned d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(a), "r"(b),
               "r"(c), "r"(d)
               : "memory");
}

/// Writes `stored_rows` rows of C. A warp has 16 columns of each.
__device__ inline void store_rows(const float (&d)[sums / SPLITS], unsigned short* C, Corner at, int m, int n,
                                  unsigned memory, int thread) {
  const int lane = thread % 32;
  constexpr int threads = 128 * groups_together;
  const int number = thread / threads;  // of those that write together
  thread %= threads;
  memory += number * (rows_at_once * pitch);
  // Where the lane's row of one of four matrices of 8×8 goes: two above each other, two beside each other.
  const unsigned to = memory + (lane / 16 * 8 + lane % 8) * pitch + (thread / 32 * 16 + lane / 8 % 2 * 8) * 2;
  constexpr int packs = columns_together / 8;  // of 16 bytes, in a row
  const int pack = thread % packs;
  const int column = at.column + number * columns_together + pack * 8;
#pragma unroll
  for (int base = 0; base < stored_rows; base += rows_at_once) {
    if (base > 0) synchronize_groups(1 + number, threads);
#pragma unroll
    for (int j = base / 8; j < (base + rows_at_once) / 8 && j < stored_rows / 8; j += 2) {
      const unsigned first = as_bf16_pair(d[4 * j], d[4 * j + 1]);
      const unsigned second = as_bf16_pair(d[4 * j + 2], d[4 * j + 3]);
      const unsigned rows = to + (8 * j - base) * pitch;
      if (j + 1 < stored_rows / 8) {
        put_matrices(rows, first, second, as_bf16_pair(d[4 * j + 4], d[4 * j + 5]),
                     as_bf16_pair(d[4 * j + 6], d[4 * j + 7]));
      } else {
        put_matrices(rows, first, second);
      }
    }
    synchronize_groups(1 + number, threads);
    if constexpr (C_BYTES < 16) {
      const int first_row = at.row + base;
      const int first_column = at.column + number * columns_together;
      write_unaligned_rows<columns_together, rows_at_once, threads>(
          C + size_t(first_row) * n + first_column, [&](int row, int byte) { return memory + row * pitch + byte; },
          min(m - first_row, stored_rows - base), n - first_column, n, thread);
      continue;
    }
#pragma unroll
    for (int i = 0; i < rows_at_once && base + i < stored_rows; i += threads / packs) {
      const int row = thread / packs + i;
      if (stored_rows % 16 != 0 && base + row >= stored_rows) continue;
      const float4 eight = shared_quad(memory + row * pitch + pack * 16);
      const int to_row = at.row + base + row;
      if (to_row < m && column < n) *reinterpret_cast<float4*>(C + size_t(to_row) * n + column) = eight;
    }
  }
  synchronize_groups(1 + number, threads);
}

/// A warpgroup's 64 columns of some rows of C in shared memory: rows of 128 bytes, their 16-byte pieces swizzled.
struct GroupRows {
  static constexpr int at_a_time = 16;  // rows that it writes
  static constexpr unsigned row_bytes = 128;

  int thread;  // in the warpgroup

  __device__ void put(const float (&d)[sums], unsigned memory, int first, int end) const {
    const int lane = thread % 32;
    const int piece = thread / 32 * 2 + lane / 8 % 2;
    const unsigned to = memory + (lane / 16 * 8 + lane % 8) * row_bytes + (piece ^ lane % 8) * 16;
#pragma unroll
    for (int j = 0; j < tile_m / 8; j += 2) {
      if (8 * j < first || 8 * j >= end) continue;
      const unsigned one = as_bf16_pair(d[4 * j], d[4 * j + 1]);
      const unsigned two = as_bf16_pair(d[4 * j + 2], d[4 * j + 3]);
      const unsigned rows = to + (8 * j - first) * row_bytes;
      if (j + 1 < tile_m / 8) {
        put_matrices(rows, one, two, as_bf16_pair(d[4 * j + 4], d[4 * j + 5]), as_bf16_pair(d[4 * j + 6], d[4 * j + 7]));
      } else {
        put_matrices(rows, one, two);
      }
    }
  }

  __device__ void write(unsigned memory, int step, int rows, unsigned short* C, int first_row, int first_column, int m,
                        int n) const {
    const int row = step * at_a_time + thread / 8;
    const int piece = thread % 8;
    const float4 eight = shared_quad(memory + row * row_bytes + (piece ^ row % 8) * 16);
    const int column = first_column + piece * 8;
    if (row < rows && first_row + row < m && column < n) {
      *reinterpret_cast<float4*>(C + size_t(first_row + row) * n + column) = eight;
    }
  }
};

extern "C" __global__ void __cluster_dims__(cluster) __launch_bounds__(multipliers + (deals_registers ? feeders : 32), 1)
    matmul_wgmma_bf16(const __grid_constant__ TensorMap a_map, const __grid_constant__ TensorMap b_map,
                      unsigned short* __restrict__ C, int m, int n, int k) {
  extern __shared__ unsigned char shared_memory[];
  __shared__ alignas(8) unsigned long long barrier_memory[2 * STAGES + 1];
  const unsigned stages = (shared_address(shared_memory) + 1023) / 1024 * 1024;  // the swizzle's period
  const unsigned joined = stages + STAGES * stage_bytes;
  const unsigned rows = joined + joined_bytes<sums, multipliers>;
  if (threadIdx.x == feeder) {
    prefetch_map(a_map);
    prefetch_map(b_map);
  }
  const Member member;
  const Tiles tiles = Tiles::of<tile_m, tile_n>(m, n);
  const Slabs slabs = Slabs::of(k, depth, 1, member);
  const Source source{a_map, b_map, member, m};
  const Barriers barriers = start_block<feeder, STAGES, 4 * groups>(
      shared_address(barrier_memory), joined_bytes<sums, multipliers>, [&](const Barriers& fresh) {
        await_launch_before();
        const Corner at = corner_of<tile_m, tile_n>(Tiles::first(), tiles, member, m, n);
        for (int i = 0; i < early && i < slabs.count(); ++i) {
          source.fetch_own(slabs.begin + i, at, stages + i * stage_bytes, fresh.full + 8 * i);
        }
      });
  Ring<STAGES> ring;

  if (threadIdx.x >= multipliers) {
    if constexpr (deals_registers) give_registers<registers_of_feeders>();
    if (threadIdx.x != feeder) return;
    for (unsigned tile = Tiles::first(); tile < tiles.count(); tile += Tiles::step()) {
      const Corner at = corner_of<tile_m, tile_n>(tile, tiles, member, m, n);
      for (int slab = slabs.begin; slab < slabs.end; ++slab, ring.advance()) {
        const unsigned stage = stages + ring.stage * stage_bytes;
        const unsigned barrier = barriers.full + 8 * ring.stage;
        if (tile != Tiles::first() || slab >= slabs.begin + early) {
          barrier_wait(barriers.empty + 8 * ring.stage, ring.parity ^ 1);
          source.fetch_own(slab, at, stage, barrier);
        }
        source.fetch_for_others(slab, at, stage, barrier);
      }
    }
    return;
  }

  if constexpr (deals_registers) take_registers<registers_to_multiply<groups>>();
  const int thread = int(threadIdx.x);
  const unsigned group = __shfl_sync(0xffffffff, thread / 128, 0);  // the same for all lanes, as the compiler now knows
  const auto left = matrix_descriptor(stages + a_bytes + group * (pieces * b_piece_bytes), b_piece_bytes, 1024, Swizzle::bytes_128);
  const auto right = matrix_descriptor(stages, 16, 1024, Swizzle::bytes_128);
  // Nobody waits for room for the last slabs, and a block that has ended must not be told of it.
  int needed_again = slabs.count() * tiles.turns() - STAGES;
  float d[pieces][sums];
  LateRows<GroupRows, tile_m, LATE> late[pieces];
#pragma unroll
  for (int p = 0; p < pieces; ++p) {
    const int piece = int(group) * pieces + p;
    late[p] = {{thread % 128}, rows + piece * (LATE * GroupRows::row_bytes), int(group), piece * 64};
  }
  for (unsigned tile = Tiles::first(); tile < tiles.count(); tile += Tiles::step()) {
    if (SPLITS > 1) {  // a part may be empty
#pragma unroll
      for (int i = 0; i < sums; ++i) d[0][i] = 0;
    }
    int previous = 0;
    for (int slab = slabs.begin; slab < slabs.end; ++slab, ring.advance()) {
      const unsigned stage = ring.stage * stage_bytes;
      barrier_wait(barriers.full + 8 * ring.stage, ring.parity);
      wgmma_fence();
#pragma unroll
      for (int step = 0; step < depth / 16; ++step) {
#pragma unroll
        for (int p = 0; p < pieces; ++p) {
          wgmma_bf16_left_across(d[p], moved_descriptor(left, stage + p * b_piece_bytes + step * 2048),
                                 moved_descriptor(right, stage + step * 32),
                                 SPLITS > 1 || slab > slabs.begin || step > 0);
        }
      }
      wgmma_commit();
#pragma unroll
      for (int p = 0; p < pieces; ++p) late[p].write_some(C, m, n);
      wgmma_wait<1>();  // the slab before has been read
      if (slab > slabs.begin && needed_again-- > 0) release_stage(barriers, member, previous);
      previous = ring.stage;
    }
    wgmma_wait<0>();
    if (slabs.count() > 0 && needed_again-- > 0) release_stage(barriers, member, previous);

    const Corner at = corner_of<tile_m, tile_n>(tile, tiles, member, m, n);
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      if constexpr (LATE > 0) {
        late[p].take(d[p], C, at, m, n);
      } else {
        float own[sums / SPLITS];
        join_parts<multipliers>(d[p], own, joined, barriers, member, thread);
        const int before = (int(group) * (pieces - 1) + p) * 64;  // columns, beside those that store_rows counts
        store_rows(own, C, {at.row + int(member.split()) * stored_rows, at.column + before}, m, n, rows, thread);
      }
    }
  }
#pragma unroll
  for (int p = 0; p < pieces; ++p) late[p].write_rest(C, m, n);
}

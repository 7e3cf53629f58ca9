// What the products by wgmma have in common beside multiplying: who does what in a block and in a cluster, the ring of
// slabs, and how blocks that have a part of k each add up their sums.
//
// In a block one thread feeds the copy engine, and warpgroups multiply. A cluster
// is SPLITS · SHARE · ACROSS blocks. Those of one tile of C have a part of k each, SPLITS of them. Those of one part have
// SHARE tiles below each other and ACROSS beside each other: those below each other need the same columns of B, those
// beside each other the same rows of A, which they fetch for each other, taking turns.
#pragma once

#include "cluster.cuh"
#include "unaligned_rows.cuh"

constexpr unsigned sharing = SHARE * ACROSS;
constexpr unsigned cluster = SPLITS * sharing;
/// Tiles begin at multiples of so many columns: where rows of C begin anywhere those of B have been copied to multiples of
/// 128 bytes, with zeros behind them.
constexpr int columns_unit = C_BYTES < 16 ? 64 : 1;
constexpr unsigned suppliers = SHARE + ACROSS - 1;  // blocks that fetch slabs for this one, itself included

/// Where a warpgroup comes before those that multiply: threads that do not, and registers that each of the others may
/// take when these give theirs away, where there is more than one warpgroup of them.
constexpr int feeders = 128;
constexpr int registers_of_feeders = 40;
template <int groups>
constexpr int registers_to_multiply = (512 - registers_of_feeders) / groups / 8 * 8;

/// Addresses of barriers in shared memory; of the first two kinds there is one per stage.
struct Barriers {
  unsigned full;    // the slab's bytes have come
  unsigned empty;   // whoever reads the slab has read it
  unsigned joined;  // the others' sums have come
};

/// This block's place in its cluster.
struct Member {
  unsigned rank;

  __device__ Member() : rank(cluster > 1 ? cluster_rank() : 0) {}
  __device__ unsigned split() const { return rank / sharing; }
  __device__ unsigned down() const { return rank % SHARE; }
  __device__ unsigned across() const { return rank / SHARE % ACROSS; }
  /// Bits of the blocks that have the same part of k and the same columns of C, and of those with the same rows.
  __device__ unsigned short column() const { return ((1U << SHARE) - 1) << (rank - down()); }
  __device__ unsigned short row() const {
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < ACROSS; ++i) bits |= 1U << (i * SHARE);
    return bits << (rank - across() * SHARE);
  }
  /// The rank of one of those blocks, each once.
  __device__ unsigned supplier(unsigned i) const {
    if (i < SHARE) return rank - down() + i;
    const unsigned beside = i - SHARE;
    return rank + ((beside < across() ? beside : beside + 1) - across()) * SHARE;
  }
};

/// What a block does before it knows that the others of its cluster have begun: nothing.
struct WaitForOthers {
  __device__ void operator()(const Barriers&) const {}
};

/// Called by all threads, and once. `memory` has room for 2 · stages + 1 barriers; `warps` multiply. Thread `first`
/// makes the barriers and then calls `begin`.
template <int first, int stages, int warps, typename Begin = WaitForOthers>
__device__ inline Barriers start_block(unsigned memory, unsigned joined_bytes, const Begin& begin = {}) {
  const Barriers barriers{memory, memory + 8 * stages, memory + 16 * stages};
  if (threadIdx.x == first) {
    for (int stage = 0; stage < stages; ++stage) {
      barrier_init(barriers.full + 8 * stage, 1);
      barrier_init(barriers.empty + 8 * stage, warps * suppliers);
    }
    barrier_init(barriers.joined, 1);
    if (SPLITS > 1) barrier_expect(barriers.joined, joined_bytes);
    fence_barrier_init();
    begin(barriers);
  }
  if (cluster > 1) {
    __syncwarp();
    cluster_arrive();
  }
  // Who splits k alone waits for the other blocks when it has something for them.
  if (sharing > 1) {
    cluster_wait();
  } else {
    __syncthreads();
  }
  return barriers;
}

/// A warp has read a slab: it says so in all blocks that may bring the next one.
__device__ inline void release_stage(const Barriers& barriers, Member member, int stage) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned empty = barriers.empty + 8 * stage;
  if (sharing == 1) {
    if (lane == 0) barrier_arrive(empty);
  } else if (lane < suppliers) {
    cluster_barrier_arrive(in_block(empty, member.supplier(lane)));
  }
}

/// The tiles of a part's blocks counted as one, and how many clusters take turns with them.
struct Tiles {
  unsigned rows;
  unsigned columns;

  template <int tile_m, int tile_n>
  static __device__ Tiles of(int m, int n) {
    return {(unsigned(m) + SHARE * tile_m - 1) / (SHARE * tile_m), (unsigned(n) + ACROSS * tile_n - 1) / (ACROSS * tile_n)};
  }
  __device__ unsigned count() const { return rows * columns; }
  static __device__ unsigned first() { return blockIdx.x / cluster; }
  static __device__ unsigned step() { return gridDim.x / cluster; }
  /// Tiles that a block gets, of which there is one at least.
  __device__ int turns() const { return int((count() - first() + step() - 1) / step()); }
};

/// Row and column of C at which this block's tile begins.
struct Corner {
  int row;
  int column;
};
/// The copy engine is slow where a rectangle is partly outside of its matrix. So the last tiles end where C does and
/// are computed in part by two blocks, or wholly: both get the same sums.
template <int tile_m, int tile_n>
__device__ inline Corner corner_of(unsigned tile, const Tiles& tiles, Member member, int m, int n) {
  const TileNumbers at = tile_numbers(tile, tiles.rows, tiles.columns, BAND);
  const int row = int(at.row * SHARE + member.down()) * tile_m;
  const int column = int(at.column * ACROSS + member.across()) * tile_n;
  const int columns = (n + columns_unit - 1) / columns_unit * columns_unit;
  return {min(row, max(m - tile_m, 0)), min(column, max(columns - tile_n, 0))};
}

/// Slabs of k, from `begin` to before `end`.
struct Slabs {
  int begin;
  int end;

  __device__ int count() const { return end - begin; }

  /// Slabs of this block, in multiples of `unit`; the last ones may be beyond k, where all is zero.
  static __device__ Slabs of(int k, int depth, int unit, Member member) {
    const unsigned step = depth * unit;
    const unsigned units = (unsigned(k) + step - 1) / step;
    return {int(units * member.split() / SPLITS) * unit, int(units * (member.split() + 1) / SPLITS) * unit};
  }
};

/// What the others have sent: this thread's sums among `threads`, by block and by quadruple.
template <int sums, int threads>
constexpr unsigned joined_bytes = (SPLITS - 1) * (sums / SPLITS) * threads * 4;

/// Adds up the sums of the SPLITS blocks that have a part of k each. Each gets every SPLITS-th part of them: those that
/// it keeps, and the same ones of the others, which they write into its memory. Always in the same order.
template <int threads, int sums>
__device__ inline void join_parts(const float (&d)[sums], float (&own)[sums / SPLITS], unsigned memory,
                                  const Barriers& barriers, Member member, int thread) {
  constexpr int part = sums / SPLITS;
  constexpr int quads = part / 4;
  const int split = int(member.split());
  const unsigned mine = memory + thread * 16;
  if (SPLITS > 1 && sharing == 1) cluster_wait();  // the others have begun: their barriers count
#pragma unroll
  for (int p = 0; p < SPLITS; ++p) {
    if (SPLITS == 1 || p == split) {
#pragma unroll
      for (int i = 0; i < part; ++i) own[i] = d[p * part + i];
    } else {
      const unsigned rank = p * sharing + member.rank % sharing;
      const unsigned to = in_block(mine + (split < p ? split : split - 1) * (quads * threads * 16), rank);
      const unsigned joined = in_block(barriers.joined, rank);
#pragma unroll
      for (int i = 0; i < quads; ++i) {
        const float* x = d + p * part + 4 * i;
        cluster_store(to + i * threads * 16, joined, x[0], x[1], x[2], x[3]);
      }
    }
  }
  if (SPLITS == 1) return;
  barrier_wait(barriers.joined, 0);
#pragma unroll
  for (int i = 0; i < (SPLITS - 1) * quads; ++i) {
    const float4 x = shared_quad(mine + i * threads * 16);
    own[i % quads * 4] += x.x;
    own[i % quads * 4 + 1] += x.y;
    own[i % quads * 4 + 2] += x.z;
    own[i % quads * 4 + 3] += x.w;
  }
}

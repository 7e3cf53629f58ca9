// What the products by wgmma have in common beside multiplying: who does what in a block and in a cluster, the ring of
// slabs, and how blocks that have a part of k each add up their sums.
//
// A block has 128 threads of which the first feeds the copy engine, and behind them warpgroups that multiply. A cluster
// is SPLITS · SHARE blocks. Those of one tile of C have a part of k each, SPLITS of them. Those of one part, SHARE of
// them, have tiles below each other: they need the same columns of B, of which each fetches a share for all.
#pragma once

#include "cluster.cuh"

constexpr int feeders = 128;  // threads that do not multiply
constexpr unsigned cluster = SPLITS * SHARE;

/// Registers that each of the threads that multiply may take, where there is more than one warpgroup of them.
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
  __device__ unsigned split() const { return rank / SHARE; }
  __device__ unsigned share() const { return rank % SHARE; }
  /// Bits of the blocks that have the same part of k.
  __device__ unsigned short sharers() const { return ((1U << SHARE) - 1) << (rank - share()); }
};

/// Called by all threads, and once. `memory` has room for 2 · stages + 1 barriers; `warps` multiply.
template <int stages, int warps>
__device__ inline Barriers start_block(unsigned memory, unsigned joined_bytes) {
  const Barriers barriers{memory, memory + 8 * stages, memory + 16 * stages};
  if (threadIdx.x == feeders) {
    for (int stage = 0; stage < stages; ++stage) {
      barrier_init(barriers.full + 8 * stage, 1);
      barrier_init(barriers.empty + 8 * stage, warps * SHARE);
    }
    barrier_init(barriers.joined, 1);
    if (SPLITS > 1) barrier_expect(barriers.joined, joined_bytes);
    fence_barrier_init();
  }
  if (cluster > 1) {
    __syncwarp();
    cluster_arrive();
  }
  // Who splits k alone waits for the other blocks when it has something for them.
  if (SHARE > 1) {
    cluster_wait();
  } else {
    __syncthreads();
  }
  return barriers;
}

/// A warp has read a slab: it says so in all blocks that bring parts of the next one.
__device__ inline void release_stage(const Barriers& barriers, Member member, int stage) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned empty = barriers.empty + 8 * stage;
  if (SHARE == 1) {
    if (lane == 0) barrier_arrive(empty);
  } else if (lane < SHARE) {
    cluster_barrier_arrive(in_block(empty, member.rank - member.share() + lane));
  }
}

/// Before a block ends: others may still arrive at its barriers.
__device__ inline void leave_cluster() {
  if (SHARE > 1) {
    cluster_arrive();
    cluster_wait();
  }
}

/// The cluster's tiles, SHARE of them below each other counted as one, and how many clusters take turns with them.
struct Tiles {
  unsigned rows;
  unsigned columns;

  template <int tile_m, int tile_n>
  static __device__ Tiles of(int m, int n) {
    return {(unsigned(m) + SHARE * tile_m - 1) / (SHARE * tile_m), (unsigned(n) + tile_n - 1) / tile_n};
  }
  __device__ unsigned count() const { return rows * columns; }
  static __device__ unsigned first() { return blockIdx.x / cluster; }
  static __device__ unsigned step() { return gridDim.x / cluster; }
};

/// Row and column of C at which this block's part of a tile begins.
struct Corner {
  int row;
  int column;
};
template <int tile_m, int tile_n>
__device__ inline Corner corner_of(unsigned tile, const Tiles& tiles, Member member) {
  const TileNumbers at = tile_numbers(tile, tiles.rows, tiles.columns, BAND);
  return {int(at.row * SHARE + member.share()) * tile_m, int(at.column) * tile_n};
}

/// Slabs of k, from `begin` to before `end`.
struct Slabs {
  int begin;
  int end;

  /// Of this block, in multiples of `unit`; the last ones may be beyond k, where all is zero.
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
  if (SPLITS > 1 && SHARE == 1) cluster_wait();  // the others have begun: their barriers count
#pragma unroll
  for (int p = 0; p < SPLITS; ++p) {
    if (SPLITS == 1 || p == split) {
#pragma unroll
      for (int i = 0; i < part; ++i) own[i] = d[p * part + i];
    } else {
      const unsigned rank = p * SHARE + member.share();
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

// Clusters of blocks (sm_90a): blocks that run at the same time on multiprocessors near each other. They may write to
// each other's shared memory and arrive at each other's barriers, and the copy engine brings one copy to several of
// them.
//
// The blocks of a cluster have their shared memory laid out alike; `in_block` makes of an address in this block's the
// same place in that of block `rank`.
#pragma once

#include "tile_copy.cuh"

__device__ inline unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// A barrier of all threads in the cluster that have not ended, in two halves. It orders no memory accesses: fresh
/// barriers in shared memory have fence_barrier_init before it.
__device__ inline void cluster_arrive() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
__device__ inline void cluster_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }

__device__ inline unsigned in_block(unsigned address, unsigned rank) {
  unsigned remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
  return remote;
}

/// At a barrier of any block of the cluster.
__device__ inline void cluster_barrier_arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/// Four numbers to a block's shared memory; a barrier of that block counts their 16 bytes when they are there.
__device__ inline void cluster_store(unsigned to, unsigned barrier, float x, float y, float z, float w) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to), "f"(x),
      "f"(y), "f"(z), "f"(w), "r"(barrier)
      : "memory");
}

/// As copy_rectangle, to every block that has its bit in `ranks`, and to the barrier of each.
__device__ inline void copy_rectangle_to(unsigned short ranks, unsigned to, const TensorMap& map, int column, int row,
                                         unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%2, %3}], [%4], %5;" ::"r"(to),
      "l"(&map), "r"(column), "r"(row), "r"(barrier), "h"(ranks)
      : "memory");
}

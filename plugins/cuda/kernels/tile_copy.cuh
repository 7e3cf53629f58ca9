// Hopper's copy engine (sm_90a): rectangles of a matrix in global memory are brought into shared memory by one thread,
// and a barrier in shared memory says when they are there.
//
// A phase of a barrier ends when it has got all its arrivals and all bytes that were announced; phases differ
// in their parity, and a fresh barrier is in phase 0.
#pragma once

/// Made by the host: address, extent, strides, the rectangle and how it is swizzled.
struct alignas(64) TensorMap {
  unsigned char opaque[128];
};

__device__ inline void barrier_init(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// Makes fresh barriers visible to the copy engine.
__device__ inline void fence_barrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ inline void barrier_arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Arrives, and announces so many bytes.
__device__ inline void barrier_expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
/// Until the phase of this parity has ended.
__device__ inline void barrier_wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred ended;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
      "@!ended bra again; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

/// The map is fetched before it is needed.
__device__ inline void prefetch_map(const TensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// The rectangle that begins at (row, column); what lies outside of the matrix is zero.
__device__ inline void copy_rectangle(unsigned to, const TensorMap& map, int column, int row, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
          "r"(to),
      "l"(&map), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}

/// A warpgroup that only feeds the copy engine gives registers away, those that compute take them.
template <int registers>
__device__ inline void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ inline float4 shared_quad(unsigned address) {
  float4 x;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
               : "r"(address)
               : "memory");
  return x;
}

__device__ inline void put_shared(unsigned address, float x) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(x) : "memory");
}
__device__ inline void put_shared(unsigned address, float4 x) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(x.x), "f"(x.y), "f"(x.z), "f"(x.w)
               : "memory");
}

/// A barrier of some warpgroups, `threads` threads; those of different `number` (from 1 on) know nothing of each other.
__device__ inline void synchronize_groups(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/// Which slab is next in a ring of stages, and in which round of the ring.
template <int stages>
struct Ring {
  int stage = 0;
  unsigned parity = 0;

  __device__ void advance() {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

struct TileNumbers {
  unsigned row;
  unsigned column;
};

/// Tile number `tile` of rows × columns tiles, in bands of `band` tiles' height, column by column: tiles that are
/// computed at the same time share rows of A and columns of B in the second-level cache.
__device__ inline TileNumbers tile_numbers(unsigned tile, unsigned rows, unsigned columns, unsigned band) {
  const unsigned first = tile / (band * columns) * band;
  const unsigned height = rows - first < band ? rows - first : band;
  const unsigned in_band = tile % (band * columns);
  return {first + in_band % height, in_band / height};
}

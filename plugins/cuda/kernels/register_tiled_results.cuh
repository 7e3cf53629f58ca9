// How the sums of matmul_register_tiled.cu are joined and stored.
#pragma once

#include "even_parts.cuh"
#include "register_tiled_shape.cuh"
#include "shared_chains.cuh"
#include "tile_of_block.cuh"

__device__ inline void store_pack(REAL* to, const REAL* from) {
  Pack pack;
#pragma unroll
  for (int j = 0; j < width; ++j) pack.element[j] = from[j];
  *reinterpret_cast<Pack*>(to) = pack;
}

#if C_BEFORE != 0
/// Stores what a warp has of C, whose first element is in row `row` and column `column`. Rows begin anywhere: those that
/// the warp's threads have at a time are laid out in `held` and written one after the other.
__device__ inline void store_rows(const Sums& sums, REAL* C, REAL* held, int row, int column, int slice, int lane_m,
                                  int lane_n, int m, int n) {
  constexpr int columns = lanes_n * THREAD_N;
  constexpr int pitch = columns + 64 / int(sizeof(REAL));
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    if (!has_row(slice, i)) continue;
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      store_pack(held + lane_m * pitch + (p * lanes_n + lane_n) * width, sums.at[i] + p * width);
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < lanes_m; ++r) {
      const int below = row + i / width * (lanes_m * width) + r * width + i % width;
      REAL* to = C + size_t(below) * n + column + lane;
#pragma unroll
      for (int c = 0; c < columns; c += 32) {
        if (below < m && column + c + lane < n) to[c] = held[r * pitch + c + lane];
      }
    }
    __syncwarp();
  }
}
#endif

#if SLICES > 1 && SPLITS == 1
/// Adds up the sums of the block's slices through shared memory, in the order of the parts of k. Each slice gets those of
/// some of its threads' rows. `stages` are the slice's own.
__device__ inline void join_slices(Sums& sums, REAL* stages, int slice) {
  static_assert(STAGES * stage_elements >= TILE_M * TILE_N);
  Pack* own = reinterpret_cast<Pack*>(stages) + threadIdx.x;
  synchronize_slice<threads>(slice);  // all have read their last operands
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    if (has_row(slice, i)) continue;
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      store_pack(reinterpret_cast<REAL*>(own + (i * packs_n + p) * threads), sums.at[i] + p * width);
    }
  }
  __syncthreads();
  const Pack* first = own - slice * (STAGES * stage_elements / width);
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    if (!has_row(slice, i)) continue;
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      Pack total = {};
#pragma unroll
      for (int other = 0; other < SLICES; ++other) {
        Pack pack;
        if (other == slice_of_sum(i, THREAD_M)) {
#pragma unroll
          for (int j = 0; j < width; ++j) pack.element[j] = sums.at[i][p * width + j];
        } else {
          pack = first[other * (STAGES * stage_elements / width) + (i * packs_n + p) * threads];
        }
#pragma unroll
        for (int j = 0; j < width; ++j) total.element[j] += pack.element[j];
      }
#pragma unroll
      for (int j = 0; j < width; ++j) sums.at[i][p * width + j] = total.element[j];
    }
  }
}
#endif

#if EVEN == 1 || EVEN == 2
/// Joins the two parts of the tile that two blocks share, whose number is `boundary`. True in one of them, which gets the
/// sums of both, which are the same in either order.
__device__ inline bool join_two(Sums& sums, Pack* partial, unsigned* finished, unsigned boundary) {
  constexpr size_t packs = packs_n * THREAD_M;
  Pack* place = partial + boundary * packs * threads + threadIdx.x;
  const auto leave = [&] {
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
      for (int p = 0; p < packs_n; ++p) {
        store_pack(reinterpret_cast<REAL*>(place + (i * packs_n + p) * threads), sums.at[i] + p * width);
      }
    }
  };
  if (!comes_second(finished + boundary, leave)) return false;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    if (i % 4 == 0) __syncwarp();  // all loads at once would leave no registers
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      // Past the L1 cache, which may hold old values.
      const uint4 bits = __ldcg(reinterpret_cast<const uint4*>(place + (i * packs_n + p) * threads));
      const Pack& pack = reinterpret_cast<const Pack&>(bits);
#pragma unroll
      for (int j = 0; j < width; ++j) sums.at[i][p * width + j] += pack.element[j];
    }
  }
  return true;
}
#endif

#if EVEN == 3
/// Leaves this block's sums of a tile for the others that have parts of it. True in the last of them, which gets the sums of
/// all, in their order.
__device__ inline bool join_many(Sums& sums, Pack* partial, unsigned* finished, const PartOfTile& part, unsigned tiles,
                                 unsigned slabs) {
  constexpr size_t packs = packs_n * THREAD_M;
  Pack* const own = partial + part.boundary * packs * threads + threadIdx.x;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      store_pack(reinterpret_cast<REAL*>(own + (i * packs_n + p) * threads), sums.at[i] + p * width);
    }
  }
  const size_t all = size_t{tiles} * slabs;
  const size_t origin = size_t{part.tile} * slabs;
  const unsigned first = block_of(all, origin);
  const unsigned last = block_of(all, origin + slabs - 1);
  __syncthreads();  // all of the block have written
  bool is_last = false;
  if (threadIdx.x == 0) is_last = count_up(finished + part.tile) == last - first;
  if (!__syncthreads_or(is_last)) return false;
  if (threadIdx.x == 0) finished[part.tile] = 0;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] = 0;
  }
#pragma unroll 1
  for (unsigned block = first; block <= last; ++block) {
    const unsigned slot = 2 * block + (first_slab(all, block) < origin);
    const Pack* const place = partial + slot * packs * threads + threadIdx.x;
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
      if (THREAD_M * THREAD_N == 128 && i % 4 == 0) __syncwarp();  // all loads at once would leave no registers
#pragma unroll
      for (int p = 0; p < packs_n; ++p) {
        // Past the L1 cache, which may hold old values.
        const uint4 bits = __ldcg(reinterpret_cast<const uint4*>(place + (i * packs_n + p) * threads));
        const Pack& pack = reinterpret_cast<const Pack&>(bits);
#pragma unroll
        for (int j = 0; j < width; ++j) sums.at[i][p * width + j] += pack.element[j];
      }
    }
  }
  return true;
}
#endif

#if SPLITS > 1 && SLICES == 1
/// Few parts of few sums are added up with as many loads under way as there are registers for. (Compilers for compute
/// capability 10.0 and 12.0 find too few.)
constexpr int registers = 65536 / (resident * threads) / 8 * 8;
constexpr bool few_parts = __CUDA_ARCH__ < 1000 && SPLITS <= 4 && sizeof(REAL) * THREAD_M * THREAD_N < 256 &&
                           (registers >= 96 || THREAD_M * THREAD_N == 16);

/// Adds up the parts of the tile, in their order, `stride` packs apart from `first` on.
__device__ inline void add_up_few_parts(Sums& sums, const Pack* first, size_t stride) {
  constexpr int taken = int(sizeof(REAL)) / 4 * (THREAD_M * THREAD_N) + 16;
  constexpr int room = (registers - taken) / 4 / (SPLITS * packs_n);
  constexpr int fitting = room >= 8 ? 8 : room >= 4 ? 4 : room >= 2 ? 2 : 1;
  constexpr int rows = fitting < THREAD_M ? fitting : THREAD_M;
#pragma unroll
  for (int i = 0; i < THREAD_M; i += rows) {
    __syncwarp();  // later loads stay behind the sums before them
    uint4 bits[SPLITS][rows * packs_n];
#pragma unroll
    for (int part = 0; part < SPLITS; ++part) {
#pragma unroll
      for (int q = 0; q < rows * packs_n; ++q) {
        // Past the L1 cache, which may hold old values.
        bits[part][q] = __ldcg(reinterpret_cast<const uint4*>(first + part * stride + (i * packs_n + q) * threads));
      }
    }
#pragma unroll
    for (int e = 0; e < rows * THREAD_N; ++e) {
      REAL total = 0;
#pragma unroll
      for (int part = 0; part < SPLITS; ++part) {
        total += reinterpret_cast<const Pack&>(bits[part][e / width]).element[e % width];
      }
      sums.at[i + e / THREAD_N][e % THREAD_N] = total;
    }
  }
}

/// Leaves this block's sums for the others. True in the last block of the tile, which gets the sums of all.
__device__ inline bool join_parts(Sums& sums, Pack* partial, unsigned* finished) {
  constexpr size_t packs = packs_n * THREAD_M;
  Pack* own = partial + (size_t{blockIdx.x} * SPLITS + blockIdx.y) * packs * threads + threadIdx.x;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      Pack pack;
#pragma unroll
      for (int j = 0; j < width; ++j) pack.element[j] = sums.at[i][p * width + j];
      own[(i * packs_n + p) * threads] = pack;
    }
  }
  if (!ends_last(finished)) return false;

  const Pack* first = partial + size_t{blockIdx.x} * SPLITS * packs * threads + threadIdx.x;
  if constexpr (few_parts) {
    add_up_few_parts(sums, first, packs * threads);
    return true;
  }
  const Sums mine = sums;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] = 0;
  }
#pragma unroll 1
  for (unsigned split = 0; split < SPLITS; ++split) {
    if (keeps_own && split == blockIdx.y) {
#pragma unroll
      for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
        for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] += mine.at[i][j];
      }
      continue;
    }
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
      // All loads at once would leave no registers: those of doubles, and of 128 sums, stay behind the sums before them.
      if ((sizeof(REAL) == 8 || THREAD_M * THREAD_N == 128) && i % 4 == 0) __syncwarp();
#pragma unroll
      for (int p = 0; p < packs_n; ++p) {
        // Past the L1 cache, which may hold old values.
        const Pack* from = first + (split * packs + i * packs_n + p) * threads;
        const uint4 bits = __ldcg(reinterpret_cast<const uint4*>(from));
        const Pack& pack = reinterpret_cast<const Pack&>(bits);
#pragma unroll
        for (int j = 0; j < width; ++j) sums.at[i][p * width + j] += pack.element[j];
      }
    }
  }
  return true;
}
#endif

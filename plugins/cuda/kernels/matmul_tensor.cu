// Matrix multiplication on tensor cores, for every GPU from compute capability 8.0 on: C (m×n) = A (m×k) · B (k×n),
// row-major.
//
// What it shows   What it takes to keep `mma.sync` busy. A block computes TILE_M×TILE_N elements of C, a warp
//                 WARP_M×WARP_N of them in registers, at most 64×64. Along k it walks in slabs of DEPTH, of which
//                 STAGES lie in shared memory: while one is multiplied, cp.async brings the next ones past the
//                 registers, in parts between the steps of the multiplication. A step's fragments are loaded while
//                 the step before is multiplied, those of a slab's first one, and the barrier before it, amid the
//                 last step of the slab before.
// Access pattern  Slabs are copied 16 bytes per thread (less where rows begin at odd places), neighbouring threads
//                 next to one another, from addresses that one instruction per copy moves on. In shared memory the
//                 pieces of 16 bytes of a row change places by the row's number (XOR), so that nothing conflicts and
//                 nothing is padded. `ldmatrix` reads A's fragments, and bf16's of B. It cannot turn pieces of tf32
//                 numbers; of those of B a lane takes four neighbours of a row, which belong to four instructions, and
//                 so eight neighbours of C are its own in the end. C leaves through shared memory, in whole rows of a
//                 warp's tile. (Straight from the registers, half a sector at a time, it took four times as long.)
// Arithmetic      2·m·n·k operations. Per 32 of k and warp of 64×64: 16 KB out of shared memory (tf32; bf16 half) for
//                 262144 operations, 128 cycles of it for 192 of the tensor cores (bf16 half of both) on Hopper. Per
//                 block of 128×128: 32 KB (16 KB) from the second-level cache for 1048576 operations, 32 (64) per byte.
// Expected limit  The tensor cores; on Hopper mma.sync reaches some 70 % of them (peaks/mma_tf32, mma_bf16), and the
//                 power limit comes before that. Small products: too few blocks for all multiprocessors.
//
// TF32 is 1 for float matrices, rounded to tf32 on the way into the tensor cores, and 0 for bf16 ones. TERMS is 3 for
// floats as sums of two tf32 numbers, whose products are three of tf32 ones; 1 otherwise. Tensor cores cut sums off
// instead of rounding them, so that three products' sum stays in them for 32 steps of k and is then added up in
// ordinary arithmetic (matmul_wgmma_3xtf32.cu says more). Sums are kept in float; C is rounded to the type of the
// matrices. A_BYTES and B_BYTES say how many bytes can be copied at once: 16 where rows are multiples of that, down to
// one element. Small copies take several times as long: A and B may be copies instead (repack_rows.cu), with rows that are
// A_UNIT and B_UNIT elements long or a multiple of that. With SHIFTED = 1 neither is needed: 16 bytes that begin anywhere are
// shifted on their way through registers (tensor_shifted_copies.cuh), a dozen instructions each, and what C is small beside
// is read once. SPLITS > 1 is for such products, too, which have few tiles: as many blocks work on a tile, each on a part of
// k. They leave their sums in `partial`, and the one that ends last adds them up in the order of the parts: the result does
// not change from run to run. `finished` counts them per tile; it is zero before and after. The last slab, which may not be full, comes first, filled up with zeros; what lies beyond A's rows and B's
// columns is not copied, and what becomes of it is not stored. Blocks go through C in bands of 8 tiles' height, so that
// those that run together share rows of A and columns of B in the second-level cache.
#include "even_shares.cuh"
#include "launch_order.cuh"
#include "tensor_copier.cuh"
#include "tensor_multiplier.cuh"
#include "tensor_shifted_copies.cuh"
#include "tile_of_block.cuh"
#include "unaligned_rows.cuh"

/// Puts 16 rows of the warp's tile, those of instructions (i, ·), into shared memory.
__device__ inline void hold_rows(unsigned held, const Sums& sums, int i) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = 8 * half + lane / 4;
#if TF32
#pragma unroll
    for (int j = 0; j < columns_n; j += 4) {
#pragma unroll
      for (int four = 0; four < 2; ++four) {
        const int part = 2 * half + four;
        asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(
                         held + c_place(row, (8 * j + lane % 4 * 8 + 4 * four) * 4)),
                     "f"(sums.d[i][j][part]), "f"(sums.d[i][j + 1][part]), "f"(sums.d[i][j + 2][part]),
                     "f"(sums.d[i][j + 3][part])
                     : "memory");
      }
    }
#else
#pragma unroll
    for (int j = 0; j < columns_n; ++j) {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(held + c_place(row, (8 * j + lane % 4 * 2) * 2)),
                   "r"(as_bf16_pair(sums.d[i][j][2 * half], sums.d[i][j][2 * half + 1]))
                   : "memory");
    }
#endif
  }
}

/// Writes them to C, a Unit per lane at a time; `rows` and `columns` of them exist.
template <typename Unit>
__device__ inline void store_rows(Element* c, const unsigned char* held, int rows, int columns, int n) {
  constexpr int units = c_row / sizeof(Unit);
  constexpr int at_once = EVEN ? 2 : 8;  // what a block keeps from tile to tile takes registers
  const int lane = threadIdx.x % 32;
#pragma unroll at_once
  for (int unit = lane; unit < 16 * units; unit += 32) {
    const int row = unit / units;
    const int column = unit % units * int(sizeof(Unit) / size);
    if (row < rows && column < columns) {
      *reinterpret_cast<Unit*>(c + size_t(unsigned(row)) * n + column) =
          *reinterpret_cast<const Unit*>(held + c_place(row, column * size));
    }
  }
}

#if SHIFTED
using AnyCopier = ShiftedCopier;
#else
using AnyCopier = Copier;
#endif

/// Adds up slabs `begin` to `end` of k for the tile that begins in row `first_row` and column `first_column`.
__device__ inline void multiply_slabs(Multiplier& multiplier, const Element* __restrict__ A,
                                      const Element* __restrict__ B, const WorkOfBlock& work, unsigned stages,
                                      const Places& places, int m, int n, int k) {
  const unsigned last_stage = stages + (STAGES - 1) * stage_bytes;
  const int slabs = int(work.end - work.begin);
  const size_t first = size_t{work.begin} * depth;
  const int a_pitch = whole_rows<A_UNIT>(k);
  const int b_pitch = whole_rows<B_UNIT>(n);
  const Element* a = A + size_t(unsigned(work.first_row)) * a_pitch + first;
  const Element* b = B + first * b_pitch + work.first_column;
  const size_t last = size_t(unsigned(slabs - 1)) * depth;
  const int in_last = int(min(size_t(unsigned(k)) - first - last, size_t{depth}));
  AnyCopier copier(a + last, b + last * b_pitch, b_pitch, a_pitch, m - work.first_row, n - work.first_column);
#if SHIFTED
  copier.a_end = A + size_t(unsigned(m)) * k;
  copier.b_end = B + size_t(unsigned(k)) * n;
#endif
  unsigned write = stages;
  int uncopied = slabs;
  const auto commit = [&] {
    asm volatile("cp.async.commit_group;" ::: "memory");
    write = write == last_stage ? stages : write + stage_bytes;
    --uncopied;
  };
  copier.copy_last(write, in_last, a, b);
  commit();
  copier.a -= last + depth;
  copier.b -= (last + depth) * b_pitch;
#pragma unroll
  for (int slab = 1; slab < STAGES - 1; ++slab) {
    copier.copy(write, 0, 1, uncopied > 0);
    commit();
  }

  Fragments fragments[sets];
  unsigned read = stages;
  const auto await_slab = [] {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();  // it is complete for all, and all have read the one before
  };
  await_slab();
  if (sets == 2) load(fragments[0], read, places, 0);
#pragma unroll 1
  for (int slab = 0; slab < slabs; ++slab) {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      Fragments& now = fragments[step % sets];
      Fragments& next = fragments[(step + 1) % sets];
      if (sets == 1) load(now, read, places, step);
      if (step < steps - 1) {
        if (sets == 2) load(next, read, places, step + 1);
        copier.copy(write, step, steps - 1, uncopied > 0);  // in place of the slab before this one
        if (step == steps - 2) commit();
        multiplier.multiply(now, step, [] {});
      } else {
        multiplier.multiply(now, step, [&] {
          await_slab();
          read = read == last_stage ? stages : read + stage_bytes;
          if (sets == 2) load(next, read, places, 0);
        });
      }
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();  // all have read their last fragments
}

/// Writes the warp's tile, whose first element in C is `c`, through its part of shared memory.
__device__ inline void store_tile(const Sums& sums, Element* c, unsigned char* shared_memory, int rows, int columns,
                                  int n) {
  const unsigned offset = threadIdx.x / 32 * (16 * c_row);
  const unsigned char* held = shared_memory + offset;
  const unsigned held_at = shared_address(shared_memory) + offset;
  const bool aligned = n % (16 / size) == 0;
#pragma unroll
  for (int i = 0; i < rows_m; ++i) {
    hold_rows(held_at, sums, i);
    __syncwarp();
    if (aligned) {
      store_rows<uint4>(c, held, rows - 16 * i, columns, n);
    } else {
#if TF32 || EVEN  // what a block keeps from tile to tile takes registers
      store_rows<Element>(c, held, rows - 16 * i, columns, n);
#else
      const auto place = [&](int row, int byte) { return held_at + c_place(row, byte); };
      write_unaligned_rows<warp_n, 16, 32>(c, place, rows - 16 * i, columns, n, threadIdx.x % 32);
#endif
    }
    __syncwarp();
    c += size_t{16} * n;
  }
}

__device__ inline int row_of_warp(unsigned thread) { return int(thread / 32 / warps_n * warp_m); }
__device__ inline int column_of_warp(unsigned thread) { return int(thread / 32 % warps_n * warp_n); }

#if EVEN
/// Joins the two parts of the tile that two blocks share, whose number is `boundary`. True in one of them, which gets the
/// sums of both.
__device__ inline bool join_two(Sums& sums, float4* partial, unsigned* finished, unsigned boundary) {
  float4* place = partial + size_t{boundary} * (TILE_M * TILE_N / 4) + threadIdx.x;
  const auto leave = [&] {
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int j = 0; j < columns_n; ++j) {
        const float(&d)[4] = sums.d[i][j];
        place[(i * columns_n + j) * threads] = make_float4(d[0], d[1], d[2], d[3]);
      }
    }
  };
  if (!comes_second(finished + boundary, leave)) return false;
#pragma unroll
  for (int i = 0; i < rows_m; ++i) {
    __syncwarp();  // all loads at once would leave no registers
#pragma unroll
    for (int j = 0; j < columns_n; ++j) {
      // Past the L1 cache, which may hold old values.
      const float4 other = __ldcg(place + (i * columns_n + j) * threads);
      sums.d[i][j][0] += other.x;
      sums.d[i][j][1] += other.y;
      sums.d[i][j][2] += other.z;
      sums.d[i][j][3] += other.w;
    }
  }
  return true;
}
#endif

#if SPLITS > 1
/// Joins the parts of the tile that SPLITS blocks share. True in the one that ends last, which gets the sums of all, added up
/// in the order of the parts.
__device__ inline bool join_parts(Sums& sums, float4* partial, unsigned* finished) {
  constexpr int quads = TILE_M * TILE_N / 4;
  float4* first = partial + size_t{blockIdx.x} * SPLITS * quads + threadIdx.x;
  float4* own = first + size_t{blockIdx.y} * quads;
#pragma unroll
  for (int i = 0; i < rows_m; ++i) {
#pragma unroll
    for (int j = 0; j < columns_n; ++j) {
      float(&d)[4] = sums.d[i][j];
      own[(i * columns_n + j) * threads] = make_float4(d[0], d[1], d[2], d[3]);
#pragma unroll
      for (int q = 0; q < 4; ++q) d[q] = 0;
    }
  }
  if (!ends_last(finished)) return false;
#pragma unroll 1
  for (int part = 0; part < SPLITS; ++part, first += quads) {
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int j = 0; j < columns_n; ++j) {
        // Past the L1 cache, which may hold old values.
        const float4 other = __ldcg(first + (i * columns_n + j) * threads);
        sums.d[i][j][0] += other.x;
        sums.d[i][j][1] += other.y;
        sums.d[i][j][2] += other.z;
        sums.d[i][j][3] += other.w;
      }
    }
  }
  return true;
}
#endif

extern "C" __global__ void __launch_bounds__(threads, RESIDENT)
    matmul_tensor(const Element* __restrict__ A, const Element* __restrict__ B, Element* __restrict__ C,
                  float4* partial, unsigned* finished, int m, int n, int k) {
  extern __shared__ __align__(128) unsigned char shared_memory[];
  await_launch_before();
  const auto multiply = [&](Multiplier& multiplier, const WorkOfBlock& work) {
    const unsigned thread = this_thread();
    const Places places(row_of_warp(thread), column_of_warp(thread), this_thread() % 32);
    int n_here = n;
    int k_here = k;
    asm volatile("" : "+r"(n_here), "+r"(k_here));  // as with this_thread()
    multiply_slabs(multiplier, A, B, work, shared_address(shared_memory), places, m, n_here, k_here);
  };
  const auto store = [&](const Sums& sums, const WorkOfBlock& work) {
    const unsigned thread = this_thread();
    const int row = work.first_row + row_of_warp(thread);
    const int column = work.first_column + column_of_warp(thread);
    store_tile(sums, C + size_t(unsigned(row)) * n + column, shared_memory, m - row, n - column, n);
  };
#if EVEN
  const auto part_of = [&](PartOfTile& part, unsigned turn) {
    const unsigned tiles = unsigned((m + TILE_M - 1) / TILE_M) * unsigned((n + TILE_N - 1) / TILE_N);
    return part_of_turn(part, turn, tiles, (unsigned(k) + depth - 1) / depth);
  };
  PartOfTile part;
#pragma unroll 1
  for (unsigned turn = 0; part_of(part, turn); ++turn) {
    if (turn > 0) __syncthreads();  // all have written the last tile, which lay where slabs come
    Multiplier multiplier;
    multiply(multiplier, WorkOfBlock(part.tile, part.begin, part.end, m, n));
    asm volatile("" : "+r"(turn));  // what part it was is worked out anew as well
    part_of(part, turn);
    if (part.shared && !join_two(multiplier.sums, partial, finished, part.boundary)) continue;
    store(multiplier.sums, WorkOfBlock(part.tile, part.begin, part.end, m, n));
  }
#else
  const WorkOfBlock work(m, n, k);
  Multiplier multiplier;
  multiply(multiplier, work);
#if SPLITS > 1
  if (!join_parts(multiplier.sums, partial, finished)) return;
#endif
  store(multiplier.sums, work);
#endif
}

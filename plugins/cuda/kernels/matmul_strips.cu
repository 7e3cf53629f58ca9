// Products of which C is small beside A or B: C (m×n) = A (m×k) · B (k×n), row-major, floats. Few columns, or few of both and
// long sums.
//
// What it shows   Such a product has too few tiles for all multiprocessors, and too little arithmetic per byte to hide the
//                 reading. So a tile spans the columns of C, up to 64 of them, and its sums are shared out: WARPS_K warps of a
//                 block each take a part of every slab of k, SPLITS blocks each a part of all slabs. A thread has
//                 THREAD_M×THREAD_N sums. STAGES slabs of DEPTH steps are in shared memory or on their way there, which
//                 is what memory needs to be busy: 20 to 70 KB of a multiprocessor.
// Access pattern  A's slab keeps its order, k along rows, and is copied 16 bytes at a time; a thread reads four steps of
//                 a row at once. Eight rows side by side are in different banks by a padding of four floats. B's slab
//                 keeps its order, too; a thread reads four columns of a step at once. Copies of the next slab are spread
//                 over the multiplications, four steps of k apart.
// Odd rows        (SHIFTED) Where k is not a multiple of four, rows of A begin anywhere, and copies of 16 bytes do not. So a row's
//                 slab begins with the 16 bytes that its first step lies in, up to three steps early, and it is multiplied
//                 with rows of B as much earlier. All lanes run the same loop; each begins at its own row of B, and four rows
//                 of B are in different banks. That costs three more rows of B per slab and nothing per step.
// Arithmetic      2·m·n·k operations. Per four steps of k a thread issues 4·THREAD_M·THREAD_N multiply-adds and THREAD_M +
//                 THREAD_N loads of 16 bytes: 256 to 16 for 8×8, 128 to 12 for 4×8. Memory gives 4·m·k bytes: n/2
//                 operations per byte.
// Expected limit  Memory up to 32 columns: 4096 × 16 × 4096 on an H100 takes 31 µs, 4096 × 32 × 4096 36 µs, where 64 MB
//                 take 25. With more columns the issue of instructions, of which the loop fills 65 %.
//
// Blocks that share a tile leave their sums in `partial`. The last of each GROUP of them adds up its group, and the last of
// those all groups, in the order of the parts: the result does not change from run to run, and no block reads more than some
// dozen parts. `finished` counts them; it is zero before and after. PACKED: n is a multiple of four. A and B begin at multiples
// of 16 bytes. Nothing outside the matrices is read: rows beyond the edge are not copied, and their results not stored.
#include "strips_copier.cuh"
#include "strips_results.cuh"

/// What one thread reads of a slab: where it begins.
struct Operands {
  const float* a;
  const float* b;
  const float* b_pair;  // columns that are not four

  __device__ Operands(const float* stage, const Place& place, int k) {
    a = stage + (place.along_m * warp_m + place.lane_m) * a_pitch + place.along_k * warp_depth;
    const int step = place.along_k * warp_depth + before - shift_of_row(place.lane_m, k);
    const float* row = stage + a_floats + step * b_pitch;
    b = row + place.lane_n * 4;
    b_pair = row + quads_n * lanes_n * 4 + place.lane_n * 2;
  }
};

__device__ inline void load_quad(float* to, const float* from) {
  const float4 x = *reinterpret_cast<const float4*>(from);
  to[0] = x.x;
  to[1] = x.y;
  to[2] = x.z;
  to[3] = x.w;
}

/// A thread's part of B's row number `step` of a slab.
__device__ inline void load_step(float* to, const Operands& from, int offset) {
#pragma unroll
  for (int q = 0; q < quads_n; ++q) load_quad(to + q * 4, from.b + offset + q * lanes_n * 4);
  if (has_pair) {
    const float2 x = *reinterpret_cast<const float2*>(from.b_pair + offset);
    to[THREAD_N - 2] = x.x;
    to[THREAD_N - 1] = x.y;
  }
}

__device__ inline void multiply_quad(Sums& sums, const float (&a)[THREAD_M][4], const Operands& from, int offset) {
#pragma unroll
  for (int step = 0; step < 4; ++step) {
    float b[THREAD_N];
    load_step(b, from, offset + step * b_pitch);
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) {
#pragma unroll
      for (int i = 0; i < THREAD_M; ++i) {
        const int row = j % 2 == 0 ? i : THREAD_M - 1 - i;
        sums.at[row][j] += a[row][step] * b[j];
      }
    }
  }
}

/// The slab that lies `offset` floats after that which `from` points to, from quad number `quad` on. Meanwhile the next slab
/// that is to be copied, if there is one more, goes to `stage`.
template <int quad>
__device__ inline void multiply_slab(Sums& sums, const Operands& from, int offset, Copier& copier, unsigned stage,
                                     bool more) {
  constexpr int quads = warp_depth / 4;
  if constexpr (quad < quads) {
    float a[THREAD_M][4];
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) load_quad(a[i], from.a + offset + i * lanes_m * a_pitch + quad * 4);
    if (more) copier.copy_portion<quad, quads>(stage);
    multiply_quad(sums, a, from, offset + quad * 4 * b_pitch);
    multiply_slab<quad + 1>(sums, from, offset, copier, stage, more);
  }
}

/// Adds up slabs number `begin` to before `end` of k. The last one comes first: only the two that the loop does not copy may
/// end, or begin, outside of the matrices.
__device__ inline void multiply_slabs(Sums& sums, Copier& copier, float* stages, const Place& place, int begin, int end,
                                      int k) {
  static_assert(STAGES >= 3);
  constexpr unsigned stage_bytes = stage_floats * 4;
  const int slabs = end - begin;
  const unsigned first = unsigned(__cvta_generic_to_shared(stages));
#pragma unroll
  for (int slab = 0; slab < STAGES - 1; ++slab) {
    if (slab < slabs) copier.copy_edge(first + slab * stage_bytes, slab == 0 ? end - 1 : begin + slab - 1);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  const Operands operands(stages, place, k);
  const int begins_before = !SHIFTED || begin > 0 ? -1 : slabs > 1 ? 1 : 0;
  int stage = 0;
  int free = STAGES - 1;  // the stage that the next slab is copied to
#pragma unroll 1
  for (int slab = 0; slab < slabs; ++slab) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();  // the slab is complete for all, and nobody reads the one before any more
    if (SHIFTED && slab == begins_before) {
      copier.clear_before(stages + stage * stage_floats);
      __syncthreads();
    }
    int left = slabs - slab - STAGES;  // to copy, after the next one
    if (SHIFTED && left == 0) copier.copy_edge(first + free * stage_bytes, end - 2);
    multiply_slab<0>(sums, operands, stage * stage_floats, copier, first + free * stage_bytes, left >= before / 3);
    asm volatile("cp.async.commit_group;" ::: "memory");
    free = stage;
    stage = stage + 1 == STAGES ? 0 : stage + 1;
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(threads, RESIDENT)
    matmul_strips(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, float4* partial,
                  unsigned* finished, int m, int n, int k) {
  extern __shared__ __align__(16) float stages[];
  const Place place;
  const unsigned tiles_n = unsigned(n - 1) / tile_n + 1;
  const int first_row = int(blockIdx.x / tiles_n) * tile_m;
  const int first_column = int(blockIdx.x % tiles_n) * tile_n;
  const unsigned slabs = (unsigned(k) + before - 1) / DEPTH + 1;
  Sums sums = {};
  Copier copier(A, B, first_row, first_column, m, n, k);
  multiply_slabs(sums, copier, stages, place, int(size_t{slabs} * blockIdx.y / SPLITS),
                 int(size_t{slabs} * (blockIdx.y + 1) / SPLITS), k);
  const auto store = [&](int q, const float4& x) { store_quad(C, q, x, first_row, first_column, m, n); };
#if SPLITS == 1
  join_warps(sums, stages, place, store);
#else
  float4* const parts = partial + size_t(blockIdx.x) * SPLITS * tile_quads;
  float4* const own = parts + size_t(blockIdx.y) * tile_quads;
  join_warps(sums, stages, place, [&](int q, const float4& x) { own[q] = x; });
  join_parts(parts, finished + size_t(blockIdx.x) * ((SPLITS + GROUP - 1) / GROUP + 1), store);
#endif
}

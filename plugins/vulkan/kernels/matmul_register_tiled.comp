// Matrix multiplication with a tile of C in the registers of each invocation: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   What limits the tiled kernel is shared memory: two reads for each multiply-add. An invocation that
//                 computes THREAD_M × THREAD_N elements of C reads THREAD_M + THREAD_N numbers for THREAD_M · THREAD_N
//                 multiply-adds.
// Access pattern  A workgroup computes a tile of TILE_M × TILE_N elements. It walks along k in slabs of DEPTH: while one
//                 slab is multiplied, the next one is on its way from global memory into registers, and is then put into
//                 the other half of shared memory. A is turned on the way, so that both operands are read from shared
//                 memory in packs of four; A's rows there are a pack longer, against bank conflicts.
//                 An invocation's rows and columns come in packs of four, spread over the tile: neighbours read
//                 neighbouring packs. Workgroups go through C in bands of BAND tiles, so that those at work together
//                 share rows of A and columns of B in the caches.
// Expected limit  The share of multiply-adds among instructions.
//
// Any m, n and k: slabs are filled up with zeros over the edges, which add nothing to the sums. PACKED says that rows of A
// and B begin at packs of four (k and n are multiples of 4): they are loaded as such.
//
// Arrays of an invocation are registers only where all indices are constants: loops over them are unrolled, which
// drivers are told to do.
//
// REAL is the element type.
#extension GL_EXT_control_flow_attributes : require
#include "kernel.glsl"

#if USE_FP64
#define PACK dvec4
#else
#define PACK vec4
#endif

#define ITEMS (TILE_M * TILE_N / (THREAD_M * THREAD_N))
#define ROW_PACKS (THREAD_M / 4)      // of an invocation
#define COLUMN_PACKS (THREAD_N / 4)
#define ACROSS (TILE_N / THREAD_N)    // invocations along a row of the tile
#define DOWN (TILE_M / THREAD_M)
#define A_PACKS (TILE_M * DEPTH / 4)  // of a slab
#define B_PACKS (TILE_N * DEPTH / 4)
#define A_EACH ((A_PACKS + ITEMS - 1) / ITEMS)
#define B_EACH ((B_PACKS + ITEMS - 1) / ITEMS)

IN(0, REAL, A);
IN(1, REAL, B);
OUT(2, REAL, C);
#if PACKED
IN(0, PACK, A_by_packs);
IN(1, PACK, B_by_packs);
OUT(2, PACK, C_by_packs);
#endif
layout(push_constant) uniform Scalars { int m; int n; int k; };

shared PACK a_slab[2][DEPTH][TILE_M / 4 + 1];
shared PACK b_slab[2][DEPTH][TILE_N / 4];

// Four elements of a row of A, zeros beyond the edges.
PACK load_a(uint row, uint column) {
  PACK pack = PACK(0);
  if (row >= m || column >= k) return pack;
#if PACKED
  return A_by_packs[(row * k + column) / 4];
#else
  [[unroll]] for (uint j = 0; j < 4; ++j) {
    if (column + j < k) pack[j] = A[row * k + column + j];
  }
  return pack;
#endif
}

PACK load_b(uint row, uint column) {
  PACK pack = PACK(0);
  if (row >= k || column >= n) return pack;
#if PACKED
  return B_by_packs[(row * n + column) / 4];
#else
  [[unroll]] for (uint j = 0; j < 4; ++j) {
    if (column + j < n) pack[j] = B[row * n + column + j];
  }
  return pack;
#endif
}

void store_c(uint row, uint column, PACK pack) {
  if (row >= m || column >= n) return;
#if PACKED
  C_by_packs[(row * n + column) / 4] = pack;
#else
  [[unroll]] for (uint j = 0; j < 4; ++j) {
    if (column + j < n) C[row * n + column + j] = pack[j];
  }
#endif
}

// Upper left corner of this workgroup's tile.
uvec2 tile_of_group() {
  const uint rows = (m + TILE_M - 1) / TILE_M;
  const uint columns = (n + TILE_N - 1) / TILE_N;
  const uint band = gl_WorkGroupID.x / (BAND * columns);
  const uint height = min(BAND, rows - band * BAND);
  const uint place = gl_WorkGroupID.x - band * BAND * columns;
  return uvec2((band * BAND + place % height) * TILE_M, place / height * TILE_N);
}

void matmul_register_tiled() {
  const uint t = gl_LocalInvocationID.x;
  const uvec2 corner = tile_of_group();
  const uint x = t % ACROSS;
  const uint y = t / ACROSS;

  PACK a_next[A_EACH];
  PACK b_next[B_EACH];
  PACK sums[THREAD_M][COLUMN_PACKS];
  [[unroll]] for (uint i = 0; i < THREAD_M; ++i) {
    [[unroll]] for (uint j = 0; j < COLUMN_PACKS; ++j) sums[i][j] = PACK(0);
  }

  const uint slabs = (k + DEPTH - 1) / DEPTH;
  for (uint slab = 0; slab <= slabs; ++slab) {
    // Loads of the slab after the one that is multiplied below.
    if (slab < slabs) {
      [[unroll]] for (uint i = 0; i < A_EACH; ++i) {
        const uint pack = t + i * ITEMS;
        if (A_PACKS % ITEMS != 0 && pack >= A_PACKS) break;
        a_next[i] = load_a(corner.x + pack / (DEPTH / 4), slab * DEPTH + pack % (DEPTH / 4) * 4);
      }
      [[unroll]] for (uint i = 0; i < B_EACH; ++i) {
        const uint pack = t + i * ITEMS;
        if (B_PACKS % ITEMS != 0 && pack >= B_PACKS) break;
        b_next[i] = load_b(slab * DEPTH + pack / (TILE_N / 4), corner.y + pack % (TILE_N / 4) * 4);
      }
    }
    if (slab > 0) {
      const uint from = (slab - 1) % 2;
      [[unroll]] for (uint step_of_k = 0; step_of_k < DEPTH; ++step_of_k) {
        PACK a[ROW_PACKS];
        PACK b[COLUMN_PACKS];
        [[unroll]] for (uint i = 0; i < ROW_PACKS; ++i) a[i] = a_slab[from][step_of_k][y + i * DOWN];
        [[unroll]] for (uint j = 0; j < COLUMN_PACKS; ++j) b[j] = b_slab[from][step_of_k][x + j * ACROSS];
        [[unroll]] for (uint i = 0; i < THREAD_M; ++i) {
          [[unroll]] for (uint j = 0; j < COLUMN_PACKS; ++j) sums[i][j] = fma(PACK(a[i / 4][i % 4]), b[j], sums[i][j]);
        }
      }
    }
    if (slab < slabs) {
      const uint to = slab % 2;
      [[unroll]] for (uint i = 0; i < A_EACH; ++i) {
        const uint pack = t + i * ITEMS;
        if (A_PACKS % ITEMS != 0 && pack >= A_PACKS) break;
        const uint row = pack / (DEPTH / 4);
        const uint first = pack % (DEPTH / 4) * 4;
        [[unroll]] for (uint j = 0; j < 4; ++j) a_slab[to][first + j][row / 4][row % 4] = a_next[i][j];
      }
      [[unroll]] for (uint i = 0; i < B_EACH; ++i) {
        const uint pack = t + i * ITEMS;
        if (B_PACKS % ITEMS != 0 && pack >= B_PACKS) break;
        b_slab[to][pack / (TILE_N / 4)][pack % (TILE_N / 4)] = b_next[i];
      }
    }
    // The next slab is there. The half that it went to was last read before the barrier before.
    barrier();
  }

  [[unroll]] for (uint i = 0; i < THREAD_M; ++i) {
    const uint row = corner.x + (y + i / 4 * DOWN) * 4 + i % 4;
    [[unroll]] for (uint j = 0; j < COLUMN_PACKS; ++j) store_c(row, corner.y + (x + j * ACROSS) * 4, sums[i][j]);
  }
}

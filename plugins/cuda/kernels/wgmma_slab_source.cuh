// Who fetches what of a slab, where the blocks of a cluster bring A and B for each other.
#pragma once

#include "wgmma_pipeline.cuh"

/// A slab's A is one rectangle of `tile_m` rows of 128 bytes, its B `pieces` of `depth` rows of 128 bytes, `piece_columns`
/// columns each, behind it. What this block alone needs it may fetch as soon as it has begun, and when all of the cluster
/// have, its part of what others need, too, so that no copy engine has more to do than the others. Parts are whole
/// periods of the swizzle, 8 rows; where A has no such parts the blocks take turns with it.
template <int tile_m, int depth, int pieces, int piece_columns>
struct SlabSource {
  static constexpr unsigned a_bytes = tile_m * 128;
  static constexpr unsigned b_piece_bytes = depth * 128;
  static constexpr unsigned stage_bytes = a_bytes + pieces * b_piece_bytes;
  static constexpr int a_parts = tile_m / ACROSS % 8 == 0 ? ACROSS : 1;  // the host needs them, too
  static_assert(depth / SHARE % 8 == 0, "parts of B are whole periods of the swizzle");

  const TensorMap& a_map;
  const TensorMap& b_map;
  Member member;
  int m;

  __device__ void fetch_own(int slab, Corner at, unsigned stage, unsigned barrier) const {
    // Rows that A does not have are not fetched (the map's rectangles have m rows then): what lies in their place gives
    // rows of C that nobody writes.
    barrier_expect(barrier, ACROSS == 1 && m < tile_m ? stage_bytes - (tile_m - m) * 128 : stage_bytes);
    if (ACROSS == 1) copy_rectangle(stage, a_map, slab * depth, at.row, barrier);
#pragma unroll
    for (int piece = 0; piece < (SHARE == 1 ? pieces : 0); ++piece) {
      copy_rectangle(stage + a_bytes + piece * b_piece_bytes, b_map, at.column + piece * piece_columns, slab * depth,
                     barrier);
    }
  }

  __device__ void fetch_for_others(int slab, Corner at, unsigned stage, unsigned barrier) const {
    const int a_part = int(member.across());
    if (ACROSS > 1 && (a_parts > 1 || slab % ACROSS == a_part)) {
      const int part = a_parts > 1 ? a_part : 0;
      copy_rectangle_to(member.row(), stage + part * (a_bytes / a_parts), a_map, slab * depth,
                        at.row + part * (tile_m / a_parts), barrier);
    }
    const int b_part = int(member.down());
#pragma unroll
    for (int piece = 0; piece < (SHARE > 1 ? pieces : 0); ++piece) {
      copy_rectangle_to(member.column(), stage + a_bytes + piece * b_piece_bytes + b_part * (b_piece_bytes / SHARE), b_map,
                        at.column + piece * piece_columns, slab * depth + b_part * (depth / SHARE), barrier);
    }
  }
};

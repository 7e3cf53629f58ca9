// What has been measured of the tilings of `register_tiled_async`, and how long the rest of a product
// takes: what product_tilings.cpp compares.
#pragma once

#include "product_tilings.hpp"

#include <array>
#include <cstdint>

namespace benchctl::opencl {

/// What a compute unit computes with a tiling while one, two, three and four of its groups are on it,
/// GFLOP/s, as far as that many fit; 0 behind the last. Only their ratios matter.
struct Row {
  ProductTiling tiling;
  std::array<double, 4> reached;
  /// Where as many groups per compute unit share out the tiles evenly, and what they reach; 0 where that
  /// does not pay.
  std::uint32_t workers = 0;
  double evenly = 0;
  double in_parts = 0;  ///< the same where there are fewer tiles than groups, in any number of parts
};

/// Slabs by cp.async. Measured 2026-11-22 on an H200 and, in slices, on an H100 (driver 580) by
/// configs/limits/opencl_gpu_tilings.toml, fitted to the times of sizes from 256 to 4096. Groups in slices
/// have a compute unit for themselves. Of two rows of a tile in slices the first needs more local memory
/// than drivers report. The largest tiles shared out evenly: on an H100, from 1999 to 4096.
constexpr std::array<Row, 9> rows_of_packs{{
    {{128, 256, 8, 16, 8, 4, 4, Along::rows}, {399, 0, 0, 0}, 1, 404},
    {{64, 128, 16, 8, 8, 3, 2, Along::rows}, {340, 367, 378, 382}, 3, 390, 380},
    {{64, 64, 16, 8, 4, 3, 4, Along::rows}, {310, 335, 350, 350}},
    {{32, 64, 16, 4, 4, 4, 1, Along::rows}, {240, 262, 280, 290}},
    {{64, 128, 16, 8, 8, 3, 2, Along::columns, 1, 3}, {370, 0, 0, 0}},
    {{64, 128, 8, 8, 8, 2, 1, Along::rows, 1, 3}, {355, 0, 0, 0}},
    {{64, 64, 16, 8, 4, 3, 2, Along::rows, 1, 4}, {336, 0, 0, 0}},
    {{64, 64, 8, 8, 4, 2, 1, Along::rows, 1, 4}, {330, 0, 0, 0}},
    {{32, 64, 8, 8, 4, 3, 1, Along::rows, 1, 4}, {343, 0, 0, 0}},
}};

/// The same where rows of B begin anywhere.
constexpr std::array<Row, 12> rows_from_within{{
    {{128, 256, 8, 16, 8, 3, 2, Along::columns}, {376, 0, 0, 0}},
    {{128, 256, 8, 16, 8, 4, 4, Along::columns}, {371, 0, 0, 0}, 1, 387},
    {{128, 256, 8, 16, 8, 3, 4, Along::columns}, {371, 0, 0, 0}, 1, 384},
    {{64, 128, 16, 8, 8, 3, 2, Along::columns}, {320, 348, 362, 360}, 3, 371, 364},
    {{64, 64, 16, 8, 4, 3, 4, Along::squares_4}, {268, 306, 318, 319}},
    {{32, 64, 16, 4, 4, 4, 1, Along::rows}, {240, 250, 263, 275}},
    {{64, 128, 16, 8, 8, 3, 2, Along::squares_2, 1, 3}, {350, 0, 0, 0}},
    {{64, 128, 8, 8, 8, 2, 1, Along::squares_2, 1, 3}, {325, 0, 0, 0}},
    {{64, 64, 16, 8, 4, 3, 4, Along::squares_4, 1, 3}, {312, 0, 0, 0}},
    {{64, 64, 16, 8, 4, 3, 4, Along::squares_4, 1, 2}, {306, 0, 0, 0}},
    {{64, 64, 8, 8, 4, 2, 1, Along::squares_4, 1, 4}, {290, 0, 0, 0}},
    {{32, 64, 8, 4, 4, 3, 1, Along::rows, 1, 4}, {297, 0, 0, 0}},
}};

/// Few tiles with long sums: one group per compute unit, in slices, each tile in parts for several groups.
/// GFLOP/s of a compute unit, and how long it takes beside that until slabs come as they are used, ns;
/// fitted to 51 times of 11 sizes from 1000x128x4000 to 64x64x65536 on an H100.
struct SlicedRow {
  ProductTiling tiling;
  double reached;
  double beginning_ns = 0;
};

constexpr std::array<SlicedRow, 6> sliced_of_packs{{
    {{128, 64, 16, 8, 8, 3, 2, Along::rows, 1, 3}, 373, 2000},
    {{64, 64, 16, 8, 8, 4, 2, Along::rows, 1, 6}, 386, 5300},
    {{64, 128, 16, 8, 8, 3, 2, Along::rows, 1, 3}, 405, 4100},
    {{64, 64, 16, 8, 4, 3, 2, Along::rows, 1, 4}, 351, 2100},
    {{64, 128, 8, 8, 8, 2, 1, Along::rows, 1, 3}, 371, 2300},
    {{64, 64, 8, 8, 4, 2, 1, Along::rows, 1, 4}, 301},
}};

constexpr std::array<SlicedRow, 4> sliced_from_within{{
    {{64, 128, 16, 8, 8, 3, 2, Along::squares_2, 1, 3}, 364, 3000},
    {{64, 64, 16, 8, 4, 3, 2, Along::squares_4, 1, 4}, 322},
    {{64, 128, 8, 8, 8, 2, 1, Along::squares_2, 1, 3}, 316},
    {{64, 64, 8, 8, 4, 2, 1, Along::squares_4, 1, 4}, 307},
}};

/// Products of a strip of C, up to so many rows, whose B is too large for caches: B is what takes time, and
/// only parts of k occupy the device. As in CUDA, where they were chosen at 32×4096×4096 and 32×4001×4001.
constexpr std::uint64_t most_few_rows = 32;
constexpr ProductTiling few_rows{32, 128, 16, 8, 4, 4, 1, Along::rows};
constexpr ProductTiling few_rows_within{32, 128, 16, 8, 4, 4, 1, Along::squares_4};
/// GFLOP/s of a compute unit with one of these groups or two.
constexpr double few_rows_reached = 340;
constexpr double few_rows_within_reached = 270;

/// Through registers: two groups of 64×128 on a compute unit, as far as tiles go.
constexpr ProductTiling through_registers{64, 128, 8, 8, 8, 2, 1, Along::rows, 1, 1, 0, false};
constexpr ProductTiling through_registers_small{32, 64, 8, 4, 4, 2, 1, Along::rows, 1, 1, 0, false};

/// To start and end a kernel, ns; to wait for the last part of a tile and to add up each of them, ns, and
/// to write and read the parts, bytes per ns.
constexpr double starting_ns = 3500;
constexpr double joining_ns = 1300;
/// To begin and to end a tile where a compute unit has one group at a time, and nothing else to do
/// meanwhile, ns.
constexpr double alone_ns = 4000;
/// To begin groups once more after as many as run at a time, ns per sum of a work-item.
constexpr double turn_ns_per_sum = 31;
/// The first two with up to 16 sums per work-item; the first where rows of B begin with packs.
constexpr double starting_small_packs_ns = 2900;
constexpr double starting_small_ns = 3250;
constexpr double joining_small_ns = 750;
constexpr std::uint32_t few_sums = 16;
constexpr double joining_part_ns = 230;
constexpr double joining_bytes_per_ns = 5700;
/// To add up a group's slices, ns.
constexpr double joining_slices_ns = 500;
/// Where parts of slices are joined in groups: to wait for the last of a group, ns, and to add up a part
/// of a tile, ns per byte.
constexpr double joining_group_ns = 1100;
constexpr double joining_group_ns_per_byte = 0.0165;
/// Parts that one group adds up all: the kernel's.
constexpr std::uint64_t most_of_group = 6;
/// Parts of a tile, and steps of k of one slice of a part.
constexpr std::uint64_t most_sliced_parts = 64;
constexpr std::uint64_t shortest_sliced = 128;
/// Where a row of tiles is one tile, A is read but once, and slabs of 8 steps, 32 bytes of a row of A, take
/// so much longer: 4096 × 64 × 4096 66 us, and not 53.
constexpr std::uint32_t shortest_depth = 8;
constexpr double read_once = 1.29;
/// Steps of k of a slice at least: shorter ones lost to parts of the grid, 8.35 to 7.45 us at 333. Two
/// slices have less to join: 545 × 457 × 146 8.6 us without, 8.0 with.
constexpr std::uint64_t shortest_slice = 96;
constexpr std::uint64_t shortest_of_two = 72;
/// Where groups share out tiles evenly: to begin one tile more and to join the two parts of one, ns. Of one
/// group on a compute unit, which has nothing else to do meanwhile, and of several.
constexpr double sharing_alone_ns = 21000;
/// What each tile takes longer then where rows of C begin anywhere, and are sorted.
constexpr double sorting_alone_ns = 5000;
constexpr double sharing_ns = 12500;
/// Shorter sums were not measured so.
constexpr std::uint64_t shortest_shared = 256;
/// The same where there are fewer tiles than groups; groups of a tile at most.
constexpr double parting_ns = 10500;
constexpr std::uint64_t most_shared_parts = 4;
/// Where A is read but once and larger than that, bytes, it comes from memory, and groups of one slice take
/// so much longer.
constexpr double cache_bytes = 33e6;
constexpr double read_from_memory = 1.09;

}  // namespace benchctl::opencl

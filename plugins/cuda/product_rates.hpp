// What product_tilings.cpp chooses by: which tilings there are, and the times that were measured with them.
#pragma once

#include "product_tilings.hpp"

#include <array>

namespace benchctl::cuda {

/// Products of which little but one operand or C takes time have a tiling of their own.
enum class Shape : std::uint8_t {
  flat,      ///< short sums: C is what takes time
  few_rows,  ///< a strip of C, a large B: that takes time, and only parts of k occupy the device
  other
};

/// All measured 2026-11-21 and 22 on an H200 (132 multiprocessors, NVRTC 13.0), see
/// docs/results/2026-11-21-h200-speed and docs/results/2026-11-22-h200-products. Tilings: tile_m, tile_n,
/// depth, thread_m, thread_n, stages, portions, along.
struct ShapeRow {
  std::string_view architecture;
  Shape shape;
  ProductTiling whole;   ///< rows of B begin with a pack of 16 bytes
  ProductTiling within;  ///< they begin anywhere
};

constexpr std::array<ShapeRow, 2> shapes{{
    // Chosen at 4096×4096×32 and 4001×4001×32.
    {"sm_90a",
     Shape::flat,
     {64, 128, 16, 8, 8, 4, 1, Along::rows},
     {64, 128, 16, 8, 8, 4, 1, Along::squares_4}},
    // Chosen at 32×4096×4096 and 32×4001×4001.
    {"sm_90a",
     Shape::few_rows,
     {32, 128, 16, 8, 4, 4, 1, Along::rows},
     {32, 128, 16, 8, 4, 4, 1, Along::squares_4}},
}};

/// What a multiprocessor computes with a tiling while one, two, three and four of its blocks, or slices of
/// them, are on it, GFLOP/s, as far as that many fit; 0 behind the last. Only their ratios matter.
struct Rates {
  Along along;
  std::array<double, 4> reached;
  double evenly =
      0;  ///< with as many as fit, where blocks share out the tiles evenly; 0 where that does not pay
  double chained = 0;   ///< the same where there are more blocks than tiles, two for each at most
  double in_parts = 0;  ///< the same with any number of blocks for each
};

struct RateRow {
  std::string_view architecture;
  ProductTiling tiling;
  Rates whole;
  Rates within;
};

/// Fitted to the times of 17 sizes from 256 to 4096 and of 14 from 333 to 3333; checked, with slices, at 41
/// from 256 to 4000. The first two tilings, and what is shared out evenly, at 11 sizes from 1999 to 8192.
/// In parts, and with 4x4 elements per thread, at some 40 and 160 sizes on an H100.
constexpr std::array<RateRow, 9> rates{{
    {"sm_90a",
     {128, 256, 8, 16, 8, 5, 2},
     {Along::rows, {392, 0, 0, 0}, 398, 392},
     {Along::columns, {370, 0, 0, 0}}},
    {"sm_90a",
     {128, 256, 16, 16, 8, 4, 2},
     {Along::columns, {388, 0, 0, 0}, 388},
     {Along::columns, {363, 0, 0, 0}, 365}},
    {"sm_90a",
     {128, 128, 16, 8, 8, 3, 4},
     {Along::squares_4, {368, 373, 0, 0}},
     {Along::squares_2, {345, 357, 0, 0}}},
    {"sm_90a",
     {64, 128, 16, 8, 8, 3, 2},
     {Along::rows, {340, 379, 390, 0}, 378, 0, 378},
     {Along::squares_2, {314, 347, 368, 0}, 357, 0, 360}},
    {"sm_90a",
     {64, 128, 16, 8, 4, 4, 2},
     {Along::rows, {340, 361, 366, 0}},
     {Along::squares_4, {315, 324, 334, 0}}},
    {"sm_90a",
     {64, 64, 16, 8, 4, 3, 4},
     {Along::columns, {329, 351, 361, 360}},
     {Along::squares_4, {261, 302, 310, 333}}},
    {"sm_90a",
     {64, 64, 16, 8, 4, 3, 2},
     {Along::rows, {309, 338, 358, 361}},
     {Along::squares_4, {256, 302, 314, 333}}},
    {"sm_90a",
     {32, 64, 16, 4, 4, 4, 1},
     {Along::rows, {236, 246, 250, 242}},
     {Along::columns, {196, 203, 225, 223}}},
    {"sm_90a",
     {32, 64, 16, 8, 4, 4, 2},
     {Along::rows, {270, 305, 315, 345}},
     {Along::squares_2, {200, 225, 230, 262}}},
}};

/// Few tiles with long sums: one block per multiprocessor, in as many slices as it has room for, each tile
/// in parts for several blocks. GFLOP/s of a multiprocessor, fitted to 18 sizes from 256x256x8192 on, on an
/// H100; 0 where it was not quicker.
struct SlicedRow {
  std::string_view architecture;
  ProductTiling tiling;
  std::uint32_t slices;
  Along whole_along;
  double whole;
  Along within_along;
  double within;
};

constexpr std::array<SlicedRow, 3> sliced{{
    {"sm_90a", {64, 64, 16, 8, 8, 4, 2}, 6, Along::rows, 382, Along::columns, 351},
    {"sm_90a", {64, 128, 16, 8, 8, 3, 2}, 3, Along::rows, 397, Along::squares_2, 368},
    {"sm_90a", {64, 64, 16, 8, 4, 3, 4}, 4, Along::columns, 357, Along::squares_4, 338},
}};

/// From the same fit: to start and end a kernel, ns; to wait for the last part of a tile, ns, and to write
/// and read the parts, bytes per ns.
constexpr double starting_ns = 3500;
/// The same with up to 16 sums per thread.
constexpr double starting_small_ns = 2500;
constexpr std::uint32_t few_sums = 16;
constexpr double joining_ns = 1650;
constexpr double joining_bytes_per_ns = 5700;
/// To wait for the last of few parts of a tile with few sums, which are read all at once.
constexpr double joining_few_ns = 1000;
constexpr std::uint32_t few_at_once = 4;
/// What a part takes longer per byte of a tile of more than so many elements, since one block adds up all.
constexpr double joining_large_ns_per_byte = 0.008;
constexpr std::uint64_t large_tile = 8192;
/// What a part takes longer from the tenth on, ns, since one block adds up all.
constexpr double part_ns = 220;
constexpr double few_parts = 10;
/// To add up a block's slices, ns.
constexpr double joining_slices_ns = 500;
/// Where parts of slices are joined in groups: to wait for the last of a group, ns, and to add up a part
/// of a tile, ns per byte.
constexpr double joining_group_ns = 1100;
constexpr double joining_group_ns_per_byte = 0.0165;
/// Where blocks share out tiles evenly: to begin one tile more and to join the two parts of one, ns.
constexpr double sharing_ns = 9000;
/// The same where there are more blocks than tiles, two for each at most, and any number.
constexpr double chaining_ns = 17000;
constexpr double parting_ns = 9000;

/// Parts that one block adds up all: the kernel's.
constexpr std::uint64_t most_of_group = 6;
/// Parts of a tile, and steps of k of one slice of a part.
constexpr std::uint64_t most_sliced_parts = 64;
constexpr std::uint64_t shortest_sliced = 128;
/// Blocks of a tile that is shared out evenly.
constexpr std::uint64_t most_shared_parts = 4;
/// Beyond that B passes through memory.
constexpr std::uint64_t cache_bytes = 50'000'000;
constexpr double sliced_margin = 1.01;  ///< by how much they are to be quicker: both estimates err

}  // namespace benchctl::cuda

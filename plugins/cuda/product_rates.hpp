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

/// Measured 2026-11-21 and 22 on an H200 (132 multiprocessors, NVRTC 13.0), see
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
/// them, are on it, GFLOP/s, as far as that many fit; 0 behind the last.
struct Rates {
  Along along;
  std::array<double, 4> reached;
  double evenly =
      0;  ///< with as many as fit, where blocks share out the tiles evenly; 0 where that does not pay
  double chained = 0;   ///< the same where there are more blocks than tiles, two for each at most
  double in_parts = 0;  ///< the same with any number of blocks for each
  Copies copies = Copies::packs;
};

struct RateRow {
  std::string_view architecture;
  ProductTiling tiling;
  Rates whole;    ///< where rows of B begin with a pack of 16 bytes
  Rates within;   ///< where they begin anywhere
  Rates words{};  ///< the same, copied by words; nothing reached where that is not quicker
};

/// Fitted on an H100 to some 12000 times of these tilings, in several numbers of parts and slices, at 2200
/// sizes, most of them drawn at random. What they
/// choose took, in the mean, 1.1 % longer than the best of those.
constexpr std::array<RateRow, 11> rates{{
    {"sm_90a",
     {128, 256, 8, 16, 8, 5, 2},
     {Along::rows, {391, 0, 0, 0}, 405, 400},
     {Along::columns, {384, 0, 0, 0}}},
    {"sm_90a",
     {128, 256, 16, 16, 8, 4, 2},
     {Along::columns, {387, 0, 0, 0}, 397},
     {Along::columns, {380, 0, 0, 0}, 375}},
    {"sm_90a",
     {128, 128, 16, 8, 8, 3, 4},
     {Along::squares_4, {374, 360, 0, 0}},
     {Along::squares_2, {371, 364, 0, 0}},
     {Along::squares_4, {382, 371, 0, 0}, 0, 0, 0, Copies::words}},
    {"sm_90a",
     {64, 128, 16, 8, 8, 3, 2},
     {Along::rows, {355, 382, 388, 0}, 389, 0, 387},
     {Along::squares_2, {326, 369, 380, 0}, 369, 0, 371}},
    {"sm_90a",
     {64, 128, 16, 8, 4, 4, 2},
     {Along::rows, {348, 354, 349, 0}},
     {Along::squares_4, {320, 341, 336, 0}}},
    {"sm_90a",
     {64, 64, 16, 8, 4, 3, 4},
     {Along::columns, {324, 352, 354, 344}},
     {Along::squares_4, {276, 321, 331, 334}},
     {Along::columns, {289, 326, 329, 335}, 0, 0, 0, Copies::words}},
    {"sm_90a",
     {64, 64, 16, 8, 4, 3, 2},
     {Along::rows, {305, 340, 356, 347}},
     {Along::squares_4, {269, 309, 331, 336}},
     {Along::rows, {272, 317, 338, 343}, 0, 0, 0, Copies::words}},
    {"sm_90a",
     {32, 64, 16, 4, 4, 4, 1},
     {Along::rows, {247, 267, 280, 284}},
     {Along::columns, {212, 235, 248, 262}}},
    {"sm_90a",
     {32, 64, 16, 8, 4, 4, 2},
     {Along::rows, {175, 305, 258, 322}},
     {Along::squares_2, {138, 255, 224, 278}}},
    {"sm_90a",
     {16, 64, 16, 4, 4, 4, 1},
     {Along::rows, {150, 209, 211, 236}},
     {Along::columns, {111, 170, 156, 183}}},
    {"sm_90a",
     {16, 128, 16, 4, 4, 4, 1},
     {Along::rows, {224, 228, 228, 265}},
     {Along::columns, {194, 206, 227, 207}}},
}};

/// GFLOP/s of a multiprocessor that has one block of some slices; 0 where that is not quicker.
struct SlicedRate {
  Along along;
  double reached;
  Copies copies = Copies::packs;
};

/// Few tiles with long sums: one block per multiprocessor, in as many slices as it has room for, each tile
/// in parts for several blocks.
struct SlicedRow {
  std::string_view architecture;
  ProductTiling tiling;
  std::uint32_t slices;
  SlicedRate whole;
  SlicedRate within;
  SlicedRate words{};
};

constexpr std::array<SlicedRow, 3> sliced{{
    {"sm_90a", {64, 64, 16, 8, 8, 4, 2}, 6, {Along::rows, 377}, {Along::columns, 352}},
    {"sm_90a", {64, 128, 16, 8, 8, 3, 2}, 3, {Along::rows, 393}, {Along::squares_2, 376}},
    {"sm_90a",
     {64, 64, 16, 8, 4, 3, 4},
     4,
     {Along::columns, 345},
     {Along::squares_4, 330},
     {Along::columns, 320, Copies::words}},
}};

/// From the same fit: to start and end a kernel, ns, with up to 16 sums per thread, up to 32, and more.
constexpr double starting_few_ns = 1610;
constexpr double starting_some_ns = 2210;
constexpr double starting_ns = 2610;
constexpr std::uint32_t few_sums = 16;
constexpr std::uint32_t some_sums = 32;
/// To read the operands and write the result, where memory limits, bytes per ns.
constexpr double memory_bytes_per_ns = 3570;
/// What an element takes longer to store where rows of C begin within a pack.
constexpr double storing_ns_per_element = 0.1028;
/// To wait for the last part of a tile, ns, to add up a part, ns per byte, and to write or read those of
/// all tiles, ns per byte.
constexpr double joining_ns = 1710;
constexpr double joining_ns_per_byte = 0.01219;
constexpr double moving_ns_per_byte = 3.572e-05;
/// To wait for the last of few parts of a tile with few sums, which are read all at once.
constexpr double joining_few_ns = 1190;
constexpr std::uint32_t few_at_once = 4;
/// What a part takes longer from the eleventh on, ns.
constexpr double part_ns = 220;
constexpr double few_parts = 10;
/// To add up a block's slices, ns per element of the tile and slice.
constexpr double joining_slices_ns_per_element = 0.05982;
/// Where parts of slices are joined in groups: to wait for the last of a group, ns, and to add up a part
/// of a tile, ns per byte.
constexpr double joining_group_ns = 940;
constexpr double joining_group_ns_per_byte = 0.01051;
/// Where blocks share out tiles evenly: to begin one tile more and to join the two parts of one, ns.
constexpr double sharing_ns = 9650;
/// The same where there are more blocks than tiles, two for each at most, and any number.
constexpr double chaining_ns = 18000;
constexpr double parting_ns = 9540;

/// Parts that one block adds up all: the kernel's.
constexpr std::uint64_t most_of_group = 6;
/// Parts of a tile, and steps of k of one slice of a part.
constexpr std::uint64_t most_sliced_parts = 64;
constexpr std::uint64_t shortest_sliced = 128;
/// Blocks of a tile that is shared out evenly.
constexpr std::uint64_t most_shared_parts = 4;
/// C of so many columns or fewer is one strip.
constexpr std::uint64_t one_strip = 64;
/// Beyond that B passes through memory.
constexpr std::uint64_t cache_bytes = 50'000'000;

}  // namespace benchctl::cuda

// What choose_tiling compares: the tilings that a backend has measured, and what they reached.
#pragma once

#include "gpu/product_tilings.hpp"

#include <array>
#include <span>
#include <string_view>

namespace benchctl::gpu {

/// Products of which little but one operand or C takes time have a tiling of their own.
enum class Shape : std::uint8_t {
  flat,      ///< short sums: C is what takes time
  few_rows,  ///< a strip of C, a large B: that takes time, and only parts of k occupy the device
  other
};

struct ShapeRow {
  std::string_view architecture;
  Shape shape;
  ProductTiling whole;   ///< rows of B begin with a pack of 16 bytes
  ProductTiling within;  ///< they begin anywhere
};

/// What a multiprocessor computes with a tiling while one, two, three and more of its blocks, or slices of
/// them, are on it, GFLOP/s, as far as that many fit; 0 behind the last.
struct Rates {
  Along along = Along::columns;
  std::array<double, 6> reached{};
  double evenly =
      0;  ///< with as many as fit, where blocks share out the tiles evenly; 0 where that does not pay
  double chained = 0;   ///< the same where there are more blocks than tiles, two for each at most
  double in_parts = 0;  ///< the same with any number of blocks for each
  Copies copies = Copies::packs;
  bool in_slices = true;  ///< whether blocks may have slices of them
  bool in_turns = true;   ///< whether blocks of parts may be more than run at once
};

struct RateRow {
  std::string_view architecture;
  ProductTiling tiling;
  Rates whole{};   ///< where rows of B begin with a pack of 16 bytes
  Rates within{};  ///< where they begin anywhere
  Rates words{};   ///< the same, copied by words; nothing reached where that is not quicker
  Rates pairs{};   ///< the same where n is even
};

/// GFLOP/s of a multiprocessor that has one block of some slices; 0 where that is not quicker.
struct SlicedRate {
  Along along = Along::columns;
  double reached = 0;
  Copies copies = Copies::packs;
};

/// Few tiles with long sums: one block per multiprocessor, in as many slices as it has room for, each tile
/// in parts for several blocks.
struct SlicedRow {
  std::string_view architecture;
  ProductTiling tiling;
  std::uint32_t slices;
  SlicedRate whole{};
  SlicedRate within{};
  SlicedRate words{};
  SlicedRate pairs{};
};

/// What takes as long in all tilings, ns.
struct ProductCosts {
  /// To start and end a kernel, with up to 16 sums per thread, up to 32, and more.
  double starting_few;
  double starting_some;
  double starting;
  /// To read the operands and write the result, where memory limits, bytes per ns.
  double memory_bytes;
  /// What an element takes longer to store where rows of C begin within a pack.
  double storing_per_element;
  /// To wait for the last part of a tile, to add up a part, per byte, and to write or read those of all
  /// tiles, per byte.
  double joining;
  double joining_per_byte;
  double moving_per_byte;
  /// To wait for the last of few parts of a tile with few sums, which are read all at once.
  double joining_few;
  /// What a part takes longer from the eleventh on.
  double part;
  /// To add up a block's slices, per element of the tile and slice.
  double joining_slices_per_element;
  /// Where parts of slices are joined in groups: to wait for the last of a group, and to add up a part of a
  /// tile, per byte.
  double joining_group;
  double joining_group_per_byte;
  /// Where blocks share out tiles evenly: to begin one tile more and to join the two parts of one; where
  /// there are more blocks than tiles, two for each at most; any number.
  double sharing;
  double chaining;
  double parting;
};

/// What a backend has measured. Every architecture of `shapes` and `sliced` is in `rates`, too.
struct ProductRates {
  std::span<const ShapeRow> shapes;
  std::span<const RateRow> rates;
  std::span<const SlicedRow> sliced;
  ProductCosts costs;
};

}  // namespace benchctl::gpu

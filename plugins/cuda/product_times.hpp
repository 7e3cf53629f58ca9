// How long register_tiled takes in a tiling, by the rates that were measured.
#pragma once

#include "product_rates.hpp"
#include "product_tilings.hpp"

#include <cstdint>

namespace benchctl::cuda {

/// Pieces of C, of tile_m × tile_n elements.
[[nodiscard]] std::uint64_t tiles(const ProductSize& size, const ProductTiling& tiling);

/// Blocks that a launch has: one per tile, or as many as run at once, with one per multiprocessor up to two
/// per tile.
[[nodiscard]] std::uint64_t blocks_of(const ProductSize& size, const ProductTiling& tiling,
                                      std::uint64_t compute_units);

/// How blocks that are fewer or more than tiles share these out: the kernel's EVEN.
enum class Sharing : std::uint8_t { none, turns, chains, parts };

[[nodiscard]] Sharing sharing_of(const ProductSize& size, const ProductTiling& tiling,
                                 std::uint64_t compute_units);

/// How many blocks, or slices of them, a multiprocessor has room for.
[[nodiscard]] std::uint64_t at_a_time(const Rates& measured);

/// Until the multiprocessor that gets most blocks is done, ns. It takes as many at a time as fit.
[[nodiscard]] double expected_ns(const ProductSize& size, const ProductTiling& tiling,
                                 const Rates& measured, std::uint64_t compute_units);

/// The same for tiles in slices of several blocks; `rate` as SlicedRow has it.
[[nodiscard]] double expected_sliced_ns(const ProductSize& size, const ProductTiling& tiling, double rate);

}  // namespace benchctl::cuda

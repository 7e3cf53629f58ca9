// How long register_tiled takes in a tiling, by the rates that were measured.
#pragma once

#include "gpu/product_rates.hpp"
#include "gpu/product_tilings.hpp"

#include <cstdint>

namespace benchctl::gpu {

/// How many blocks, or slices of them, a multiprocessor has room for.
[[nodiscard]] std::uint64_t at_a_time(const Rates& measured);

/// Until the multiprocessor that gets most blocks is done, ns. It takes as many at a time as fit.
[[nodiscard]] double expected_ns(const ProductSize& size, const ProductTiling& tiling,
                                 const Rates& measured, const ProductCosts& costs,
                                 std::uint64_t compute_units);

/// The same for tiles in slices of several blocks; `rate` as SlicedRow has it.
[[nodiscard]] double expected_sliced_ns(const ProductSize& size, const ProductTiling& tiling, double rate,
                                        const ProductCosts& costs);

}  // namespace benchctl::gpu

// How long a product of doubles takes in a form of tensor_f64 or tensor_f64_fed, by what was measured.
#pragma once

#include "product_tilings.hpp"

#include <array>
#include <cstdint>

namespace benchctl::cuda {

// Fitted on an H100 (132 multiprocessors, NVRTC 13.0, 2026-11-23) to times of 28 forms, in several numbers
// of parts, at 494 shapes, 460 of them drawn at random, so that what is expected to be quickest nearly is.
// Rates are in tensor_f64_tilings.cpp and fed_f64_tilings.cpp.
constexpr double starting_f64_ns = 2439;
constexpr double memory_bytes_per_ns = 2812;
constexpr double joining_ns_per_byte = 0.0272;   ///< of all parts of a tile, which one block adds up
constexpr double moving_ns_per_byte = 0.000264;  ///< of the parts of all tiles, to memory and back

/// What a multiprocessor computes while one, two, three and four blocks of a form are on it, GFLOP/s, as
/// far as that many fit; 0 behind the last. 0 everywhere: not taken.
using F64Rates = std::array<double, 4>;

/// What a kernel takes besides, whatever the form.
struct F64Overheads {
  double steps_even;    ///< steps of k for which a tile's first slabs and last results take as long
  double steps_odd;     ///< the same where k or n is odd
  double storing_even;  ///< of an element of C, ns, while all multiprocessors store
  double storing_odd;   ///< the same where n is odd: rows begin 8 bytes off
  double joining_ns;    ///< until the last part of a tile is there
};

/// What of a tiling decides how long it takes.
struct F64Form {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t depth;
  std::uint32_t splits;
  std::uint64_t shared_bytes;
  bool shares_out;  ///< tiles are shared out evenly among as many blocks as multiprocessors
};

/// Pieces of C, of tile_m × tile_n elements.
[[nodiscard]] std::uint64_t tiles(const ProductSize& size, const F64Form& form);

/// Whether such forms were measured at such sizes: small tiles were not where a multiprocessor gets many.
[[nodiscard]] bool within_measured(const ProductSize& size, const F64Form& form,
                                   const ProductDevice& device);

/// Until the multiprocessor that gets most blocks is done, ns.
[[nodiscard]] double expected_f64_ns(const ProductSize& size, const F64Form& form, const F64Rates& rates,
                                     const F64Overheads& overheads, const ProductDevice& device);

}  // namespace benchctl::cuda

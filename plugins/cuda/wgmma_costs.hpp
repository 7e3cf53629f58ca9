// What is known of the GPUs that run products by wgmma: what a slab and a kernel take, and which tiles to
// choose among.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace benchctl::cuda {

/// What a slab and a kernel take, in ns. Only their ratios matter. Fitted (2026-11-23, compiler 13.0) to
/// the times of 4 to 20 tilings at 46 sizes from 768 to 12000 on an H100 80GB HBM3 and 39 on an H200, both
/// with 132 multiprocessors at 1980 MHz: what these choose takes 0.5 % longer than the fastest of what was
/// measured, on either GPU.
struct WgmmaCosts {
  double multiply;      ///< per slab and element of C: the tensor cores
  double fill;          ///< per slab and row of A and column of B: what arrives in shared memory
  double pass;          ///< per byte that a slab's coming and multiplying move in shared memory
  double ask;           ///< per slab and row of 128 bytes that the copy engine asks for
  double odd_a;         ///< more of that where rows of A begin within 128 bytes
  double odd_b;         ///< the same of B
  double single;        ///< more of `multiply` with one warpgroup
  double crowded;       ///< more per slab when no multiprocessor is left over
  double kernel;        ///< a kernel's start and end
  double sharing;       ///< more of it where blocks fetch for each other
  double store;         ///< per element of C that a block writes
  double odd_store;     ///< more of that where rows of C begin within 128 bytes
  double joining;       ///< where parts are added up
  double joined;        ///< per element of C and part but one
  std::uint32_t depth;  ///< of a slab, along k
  std::uint32_t slabs;  ///< come in multiples of so many
};

struct WgmmaShape {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t splits = 1;
  std::uint32_t share = 1;
  std::uint32_t across = 1;
  std::uint32_t late = 0;  ///< rows that leave late where blocks have several tiles; splits is 1

  [[nodiscard]] std::uint64_t blocks() const { return std::uint64_t{splits} * share * across; }
};

inline constexpr WgmmaCosts bf16_costs{0.02087, 0.0787, 0.0046,  1.233, 0.474, 1.261, 0.322, 0.0645,
                                       2676,    67.2,   0.00137, 42.4,  186,   0.131, 64,    1};
inline constexpr WgmmaCosts tf32_costs{0.02095, 1.69, 0, 1.286, 0.336, 0.632, 0.0881, 0.057,
                                       2240,    103,  0, 0,     300,   0.201, 32,     2};
inline constexpr WgmmaCosts three_tf32_costs{0.0676, 1.44, 0, 1.75, 0.51, 0.89,  0.47, 0.023,
                                             3860,   0,    0, 0,    300,  0.014, 32,   2};

/// Of those that were tried the ones without which some size would be slower. Of equal ones the first is
/// taken.
inline constexpr std::array<WgmmaShape, 58> bf16_shapes{{{256, 128, 1, 1, 2, 128},
                                                         {160, 256, 1, 2, 1, 32},
                                                         {152, 256, 1, 2},
                                                         {144, 256, 1, 2, 1, 48},
                                                         {144, 256, 1, 1, 2, 48},
                                                         {136, 256, 1, 2},
                                                         {112, 256, 1, 2, 1, 80},
                                                         {192, 192, 1, 1, 2},
                                                         {256, 128, 1, 1, 1, 128},
                                                         {160, 192, 1, 2},
                                                         {200, 192, 1, 1, 2},
                                                         {208, 128},
                                                         {120, 192, 1, 2},
                                                         {112, 192, 1, 2},
                                                         {160, 128},
                                                         {104, 192, 1, 2, 2},
                                                         {96, 192, 1, 2},
                                                         {152, 128, 1, 2, 4},
                                                         {144, 128, 1, 1, 2},
                                                         {144, 128, 1, 2, 4},
                                                         {128, 128, 1, 2},
                                                         {112, 128},
                                                         {112, 128, 1, 4},
                                                         {104, 128, 1, 4, 2},
                                                         {88, 128, 1, 4},
                                                         {80, 128, 1, 4},
                                                         {56, 192, 1, 4},
                                                         {128, 64, 1, 2},
                                                         {104, 64},
                                                         {96, 64},
                                                         {88, 64, 1, 2},
                                                         {80, 64, 1, 2, 4},
                                                         {72, 64},
                                                         {64, 64},
                                                         {56, 64, 1, 4},
                                                         {184, 192, 1, 1, 2},
                                                         {240, 128, 1, 1, 2, 128},
                                                         {256, 128, 1, 2},
                                                         {160, 192},
                                                         {144, 128, 1, 2, 2},
                                                         {144, 128},
                                                         {128, 128},
                                                         {104, 128, 1, 4},
                                                         {104, 128},
                                                         {96, 128, 1, 4},
                                                         {104, 64, 1, 2, 2},
                                                         {104, 64, 1, 2},
                                                         {80, 64, 1, 1, 4},
                                                         {56, 64, 1, 2, 2},
                                                         {48, 64, 1, 2, 2},
                                                         {128, 128, 2},
                                                         {128, 64, 2},
                                                         {96, 64, 2},
                                                         {64, 64, 2},
                                                         {64, 64, 4},
                                                         {64, 64, 8},
                                                         {128, 64, 4},
                                                         {128, 64, 8}}};
inline constexpr std::array<WgmmaShape, 25> tf32_shapes{{{256, 128, 1, 1, 2, 64},
                                                         {240, 128, 1, 1, 2},
                                                         {224, 128, 1, 1, 2},
                                                         {208, 128, 1, 1, 2},
                                                         {192, 128, 1, 1, 2},
                                                         {176, 128, 1, 1, 2},
                                                         {160, 128, 1, 1, 2},
                                                         {256, 128},
                                                         {208, 128},
                                                         {192, 128},
                                                         {160, 128},
                                                         {112, 128},
                                                         {64, 64},
                                                         {144, 128},
                                                         {112, 192},
                                                         {96, 64},
                                                         {160, 128, 2},
                                                         {128, 128, 2},
                                                         {96, 128, 2},
                                                         {160, 64, 2},
                                                         {128, 64, 2},
                                                         {64, 64, 2},
                                                         {64, 64, 4},
                                                         {128, 64, 4},
                                                         {128, 64, 8}}};
inline constexpr std::array<WgmmaShape, 9> three_tf32_shapes{{{128, 128},
                                                              {112, 128},
                                                              {96, 128},
                                                              {80, 128},
                                                              {64, 128},
                                                              {96, 128, 2},
                                                              {64, 128, 2},
                                                              {64, 64, 2},
                                                              {64, 64, 4}}};

}  // namespace benchctl::cuda

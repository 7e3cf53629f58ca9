// What is known of the GPUs that run products by wgmma: what a slab takes there, and which tiles to choose
// among.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace benchctl::cuda {

/// What a slab and a kernel take, in ns. Only their ratios matter. Fitted (2026-11-22, compiler 13.0) to
/// the times of 12 to 100 tilings, at 28 (tf32) to 36 sizes on an H200, with bands of 8 tiles, and at 15
/// (tf32) to 17 sizes on an H100 80GB HBM3, with bands of 2. Both have 132 multiprocessors at 1980 MHz; the
/// H100's second-level cache has 5 parts where the H200's has 6, and slabs come more slowly from it.
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

inline constexpr WgmmaCosts h200_bf16_costs{0.02095, 1.147, 0.00442, 1.082, 1.189, 1.044, 0.2825, 0.04,
                                            3052,    5,     0.0137,  2.253, 186,   0.131, 64,     1};
inline constexpr WgmmaCosts h200_tf32_costs{0.0210, 1.45, 0, 1.09, 0.49, 0.63,  0.093, 0.076,
                                            2470,   0,    0, 0,    300,  0.201, 32,    2};
inline constexpr WgmmaCosts h100_bf16_costs{0.02087, 0.07869, 0.004026, 1.182, 0.694, 1.202, 0.2003, 0.1009,
                                            2811,    191.7,   0.001224, 62.71, 186,   0.131, 64,     1};
inline constexpr WgmmaCosts h100_tf32_costs{0.02095, 1.45, 0, 1.053, 0.1893, 1.353, 0.08811, 0.07751,
                                            2402,    100,  0, 0,     300,    0.201, 32,      2};
inline constexpr WgmmaCosts three_tf32_costs{0.0676, 1.44, 0, 1.75, 0.51, 0.89,  0.47, 0.023,
                                             3860,   0,    0, 0,    300,  0.014, 32,   2};

/// Of those that were tried the ones without which some size would be slower. Of equal ones the first is
/// taken, which is the largest, too.
inline constexpr std::array<WgmmaShape, 29> h200_bf16_shapes{
    {{256, 128, 1, 2},   {192, 192, 1, 1, 2}, {256, 128},
     {160, 192},         {208, 128},          {120, 192, 1, 2},
     {112, 192, 1, 2},   {144, 128, 1, 2, 2}, {96, 192, 1, 2},
     {144, 128},         {128, 128},          {112, 128},
     {104, 128, 1, 4},   {104, 128},          {96, 128, 1, 4},
     {144, 64, 1, 1, 4}, {128, 64, 1, 2},     {120, 64, 1, 4},
     {104, 64, 1, 2, 2}, {104, 64, 1, 2},     {80, 64, 1, 1, 4},
     {64, 64},           {56, 64, 1, 2, 2},   {48, 64, 1, 2, 2},
     {128, 128, 2},      {128, 64, 2},        {96, 64, 2},
     {64, 64, 2},        {64, 64, 4}}};
inline constexpr std::array<WgmmaShape, 13> h200_tf32_shapes{{{256, 128},
                                                              {208, 128},
                                                              {144, 128},
                                                              {112, 192},
                                                              {80, 192},
                                                              {96, 64},
                                                              {64, 64},
                                                              {160, 128, 2},
                                                              {128, 128, 2},
                                                              {96, 128, 2},
                                                              {128, 64, 2},
                                                              {64, 64, 2},
                                                              {64, 64, 4}}};
inline constexpr std::array<WgmmaShape, 35> h100_bf16_shapes{{{256, 128, 1, 1, 2, 128},
                                                              {192, 192, 1, 1, 2},
                                                              {256, 128, 1, 1, 1, 128},
                                                              {160, 192, 1, 2},
                                                              {200, 192, 1, 1, 2},
                                                              {208, 128},
                                                              {120, 192, 1, 2},
                                                              {112, 192, 1, 2},
                                                              {112, 192, 1, 2, 2},
                                                              {160, 128},
                                                              {104, 192, 1, 2, 2},
                                                              {96, 192, 1, 2},
                                                              {152, 128, 1, 2, 4},
                                                              {144, 128, 1, 1, 2},
                                                              {144, 128, 1, 2, 4},
                                                              {128, 128, 1, 2},
                                                              {112, 128},
                                                              {104, 128, 1, 4, 2},
                                                              {88, 128, 1, 4},
                                                              {80, 128, 1, 4},
                                                              {56, 192, 1, 4},
                                                              {144, 64, 1, 1, 8},
                                                              {128, 64, 1, 2},
                                                              {104, 64},
                                                              {96, 64},
                                                              {88, 64, 1, 2},
                                                              {80, 64, 1, 2, 4},
                                                              {72, 64},
                                                              {64, 64},
                                                              {56, 64, 1, 4},
                                                              {128, 128, 2},
                                                              {128, 64, 2},
                                                              {96, 64, 2},
                                                              {64, 64, 2},
                                                              {64, 64, 4}}};
inline constexpr std::array<WgmmaShape, 14> h100_tf32_shapes{{{256, 128, 1, 1, 2, 64},
                                                              {256, 128},
                                                              {208, 128},
                                                              {192, 128},
                                                              {160, 128},
                                                              {112, 128},
                                                              {64, 64},
                                                              {160, 128, 2},
                                                              {128, 128, 2},
                                                              {96, 128, 2},
                                                              {160, 64, 2},
                                                              {128, 64, 2},
                                                              {64, 64, 2},
                                                              {64, 64, 4}}};
inline constexpr std::array<WgmmaShape, 9> three_tf32_shapes{{{128, 128},
                                                              {112, 128},
                                                              {96, 128},
                                                              {80, 128},
                                                              {64, 128},
                                                              {96, 128, 2},
                                                              {64, 128, 2},
                                                              {64, 64, 2},
                                                              {64, 64, 4}}};

/// What is known of a GPU, which its second-level cache tells: how many parts that cache has, and so how
/// fast slabs come, goes with its size.
struct WgmmaCard {
  std::uint64_t cache_bytes;
  std::uint32_t band;  ///< in bf16 and tf32
  WgmmaCosts bf16_costs;
  WgmmaCosts tf32_costs;
  std::span<const WgmmaShape> bf16_shapes;
  std::span<const WgmmaShape> tf32_shapes;
};

inline constexpr std::array<WgmmaCard, 2> cards{
    {{60U << 20U, 8, h200_bf16_costs, h200_tf32_costs, h200_bf16_shapes, h200_tf32_shapes},
     {50U << 20U, 2, h100_bf16_costs, h100_tf32_costs, h100_bf16_shapes, h100_tf32_shapes}}};

}  // namespace benchctl::cuda

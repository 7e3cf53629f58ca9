// What has been measured of the tilings of `register_tiled_async` in OpenCL on NVIDIA's GPUs.
#pragma once

#include "gpu/product_rates.hpp"

#include <array>

namespace benchctl::opencl {

using gpu::Along;
using gpu::Copies;

/// As CUDA has it for short sums, in the tiling of 64x128 that was measured in OpenCL.
constexpr std::array<gpu::ShapeRow, 1> shapes{{
    {"sm_90",
     gpu::Shape::flat,
     {64, 128, 16, 8, 8, 3, 2, Along::rows},
     {64, 128, 16, 8, 8, 3, 2, Along::columns}},
}};

/// Fitted on an H100 (driver 580) to 9892 times of these and six other tilings, in several numbers of parts
/// and slices, at 420 sizes drawn at random. What they choose took, in the mean, 1.5 % longer than the best
/// of those; at 130 other sizes, 2.4 %. By hand: one wave of tiles of 128x256, from the square of 2048,
/// tiles of 64x128 along squares_2 in slices, from 901 and 1001, `parting`, from 1280, and no parts in
/// turns, from 4621 x 105 x 2909 and 10000 x 56 x 600.
constexpr std::array<gpu::RateRow, 12> rates{{
    {"sm_90", {128, 256, 8, 16, 8, 4, 4}, {Along::rows, {396}, 406}},
    {"sm_90",
     {128, 256, 8, 16, 8, 5, 2},
     {},
     {Along::squares_2, {357}, 383},
     {},
     {Along::columns, {367}, 389, 0, 0, Copies::words}},
    {"sm_90",
     {128, 128, 16, 8, 8, 3, 4},
     {Along::columns, {376, 360}, 387, 0, 380},
     {Along::columns, {362, 346}, 366, 0, 350}},
    {"sm_90",
     {64, 128, 16, 8, 8, 3, 2},
     {Along::squares_2, {337, 371, 374}, 402, 0, 384, Copies::packs, true, false},
     {Along::columns, {330, 357, 372}, 379, 0, 386, Copies::packs, false, false},
     {},
     {Along::columns, {346, 384, 392}, 402, 0, 382, Copies::words, true, false}},
    {"sm_90", {64, 128, 16, 8, 8, 3, 2}, {}, {Along::squares_2, {326, 358, 361}}},
    {"sm_90",
     {128, 64, 16, 8, 8, 3, 2},
     {Along::columns, {324, 362, 369}},
     {Along::squares_2, {314, 347, 364}},
     {Along::rows, {318, 347, 367}, 0, 0, 0, Copies::words},
     {Along::rows, {319, 359, 382}, 0, 0, 0, Copies::words}},
    {"sm_90",
     {64, 64, 16, 8, 4, 3, 4},
     {Along::columns, {315, 334, 335, 329}},
     {Along::squares_4, {273, 321, 326, 332}}},
    {"sm_90",
     {64, 64, 16, 8, 4, 3, 2},
     {Along::rows, {304, 325, 342, 337}, 0, 0, 0, Copies::packs, true, false},
     {Along::rows, {272, 321, 328, 337}},
     {Along::rows, {270, 313, 335, 343}, 0, 0, 0, Copies::words},
     {Along::rows, {280, 323, 345, 352}, 0, 0, 0, Copies::words}},
    {"sm_90",
     {32, 64, 8, 8, 4, 3, 1},
     {Along::rows, {172, 284, 245, 310}},
     {Along::columns, {115, 259, 237, 301}},
     {},
     {Along::rows, {150, 263, 239, 320}, 0, 0, 0, Copies::words}},
    {"sm_90",
     {32, 64, 16, 4, 4, 4, 1},
     {Along::rows, {230, 243, 266, 272}},
     {Along::rows, {216, 247, 272, 273}},
     {},
     {Along::rows, {229, 263, 278, 285}}},
    {"sm_90",
     {16, 64, 16, 4, 4, 4, 1},
     {Along::rows, {140, 209, 184, 205}},
     {Along::squares_2, {105, 178, 173, 208}},
     {},
     {Along::squares_2, {110, 210, 192, 233}}},
    {"sm_90",
     {16, 128, 16, 4, 4, 4, 1},
     {Along::rows, {216, 209, 205, 211}},
     {Along::rows, {193, 214, 244, 233}},
     {},
     {Along::rows, {234, 245, 261, 277}}},
}};

/// From the same fit.
constexpr std::array<gpu::SlicedRow, 3> sliced{{
    {"sm_90",
     {64, 64, 16, 8, 8, 4, 2},
     6,
     {Along::columns, 340},
     {Along::columns, 308},
     {},
     {Along::columns, 326, Copies::words}},
    {"sm_90",
     {64, 64, 16, 8, 4, 3, 4},
     4,
     {Along::columns, 327},
     {Along::squares_4, 315},
     {Along::rows, 321, Copies::words},
     {Along::rows, 318, Copies::words}},
    {"sm_90",
     {64, 128, 16, 8, 8, 3, 2},
     3,
     {Along::squares_2, 372},
     {Along::columns, 353},
     {},
     {Along::columns, 362, Copies::words}},
}};
constexpr gpu::ProductCosts costs{
    .starting_few = 2530,
    .starting_some = 3040,
    .starting = 3310,
    .memory_bytes = 3570,
    .storing_per_element = 0.1278,
    .joining = 1740,
    .joining_per_byte = 0.0146,
    .moving_per_byte = 1e-4,
    .joining_few = 1350,
    .part = 222,
    .joining_slices_per_element = 0.05895,
    .joining_group = 612,
    .joining_group_per_byte = 0.01028,
    .sharing = 17140,
    .chaining = 0,
    .parting = 12000,
};

constexpr gpu::ProductRates product_rates{shapes, rates, sliced, costs};

}  // namespace benchctl::opencl

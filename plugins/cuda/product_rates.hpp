// What has been measured of the tilings of `register_tiled` in CUDA.
#pragma once

#include "gpu/product_rates.hpp"

#include <array>

namespace benchctl::cuda {

using gpu::Along;
using gpu::Copies;

/// Measured 2026-11-21 and 22 on an H200 (132 multiprocessors, NVRTC 13.0) by
/// configs/limits/sgemm_tilings.toml; docs/results/2026-11-24-h100/single-precision.md tells what they
/// gained. Tilings: tile_m, tile_n, depth, thread_m, thread_n, stages, portions, along.
constexpr std::array<gpu::ShapeRow, 2> shapes{{
    // Chosen at 4096×4096×32 and 4001×4001×32.
    {"sm_90a",
     gpu::Shape::flat,
     {64, 128, 16, 8, 8, 4, 1, Along::rows},
     {64, 128, 16, 8, 8, 4, 1, Along::squares_4}},
    // Chosen at 32×4096×4096 and 32×4001×4001.
    {"sm_90a",
     gpu::Shape::few_rows,
     {32, 128, 16, 8, 4, 4, 1, Along::rows},
     {32, 128, 16, 8, 4, 4, 1, Along::squares_4}},
}};

/// Fitted on an H100 to some 12000 times of these tilings, in several numbers of parts and slices, at 2200
/// sizes, most of them drawn at random; pairs, tiles of 128×64 and of 64×64 in 8×8, and words of small
/// tiles to 4600 times at 516 sizes drawn later. What they choose took, in the mean, 1.1 % longer than the
/// best of those at every second of these sizes, the rates being fitted to the others.
constexpr std::array<gpu::RateRow, 13> rates{{
    {"sm_90a",
     {128, 256, 8, 16, 8, 5, 2},
     {Along::rows, {391}, 405, 400},
     {Along::columns, {384}},
     {},
     {Along::columns, {388}, 385, 0, 0, Copies::pairs}},
    {"sm_90a",
     {128, 256, 16, 16, 8, 4, 2},
     {Along::columns, {387}, 397},
     {Along::columns, {380}, 375},
     {},
     {Along::columns, {379}, 390, 0, 0, Copies::pairs}},
    {"sm_90a",
     {128, 128, 16, 8, 8, 3, 4},
     {Along::squares_4, {374, 360}},
     {Along::squares_2, {371, 364}},
     {Along::rows, {382, 390}, 0, 0, 0, Copies::words},
     {Along::columns, {389, 390}, 0, 0, 0, Copies::pairs}},
    {"sm_90a",
     {64, 128, 16, 8, 8, 3, 2},
     {Along::rows, {355, 382, 388}, 389, 0, 387},
     {Along::squares_2, {326, 369, 380}, 369, 0, 371},
     {},
     {Along::columns, {357, 373, 390}, 385, 0, 372, Copies::pairs}},
    {"sm_90a",
     {128, 64, 16, 8, 8, 3, 2},
     {Along::columns, {329, 368, 375}, 0, 0, 368, Copies::packs, true, false},
     {},
     {Along::columns, {317, 355, 376}, 0, 0, 337, Copies::words},
     {Along::columns, {326, 363, 384}, 0, 0, 341, Copies::pairs}},
    {"sm_90a",
     {64, 64, 16, 8, 8, 3, 2},
     // More parts than run at once took up to a quarter longer than expected.
     {Along::rows, {180, 345, 282, 362, 323, 367}, 0, 0, 0, Copies::packs, true, false},
     {Along::squares_2, {156, 300, 262, 345, 300, 356}, 0, 0, 0, Copies::packs, true, false},
     {},
     {Along::columns, {176, 311, 283, 360, 318, 377}, 0, 0, 0, Copies::pairs}},
    {"sm_90a",
     {64, 128, 16, 8, 4, 4, 2},
     {Along::rows, {348, 354, 349}},
     {Along::squares_4, {320, 341, 336}}},
    {"sm_90a",
     {64, 64, 16, 8, 4, 3, 4},
     {Along::columns, {324, 352, 354, 344}},
     {Along::squares_4, {276, 321, 331, 334}},
     {Along::columns, {292, 323, 329, 335}, 0, 0, 0, Copies::words},
     {Along::rows, {302, 343, 339, 352}, 0, 0, 0, Copies::pairs}},
    {"sm_90a",
     {64, 64, 16, 8, 4, 3, 2},
     {Along::rows, {305, 340, 356, 347}},
     {Along::squares_4, {269, 309, 331, 336}},
     {Along::rows, {272, 317, 338, 343}, 0, 0, 0, Copies::words},
     {Along::squares_4, {291, 342, 344, 351}, 0, 0, 0, Copies::pairs}},
    {"sm_90a",
     {32, 64, 16, 4, 4, 4, 1},
     {Along::rows, {247, 267, 280, 284}},
     {Along::columns, {212, 230, 248, 267}},
     {Along::columns, {222, 237, 262, 265}, 0, 0, 0, Copies::words},
     {Along::columns, {229, 262, 277, 275}, 0, 0, 0, Copies::pairs}},
    {"sm_90a",
     {32, 64, 16, 8, 4, 4, 2},
     {Along::rows, {175, 305, 258, 322}},
     {Along::squares_2, {138, 265, 224, 283}},
     {Along::columns, {127, 236, 222, 280}, 0, 0, 0, Copies::words},
     {Along::columns, {146, 262, 240, 296}, 0, 0, 0, Copies::pairs}},
    {"sm_90a",
     {16, 64, 16, 4, 4, 4, 1},
     {Along::rows, {150, 209, 211, 236}},
     {Along::columns, {115, 170, 156, 187}},
     {Along::rows, {110, 171, 175, 204}, 0, 0, 0, Copies::words},
     {Along::rows, {128, 206, 192, 230}, 0, 0, 0, Copies::pairs}},
    {"sm_90a",
     {16, 128, 16, 4, 4, 4, 1},
     {Along::rows, {224, 228, 228, 265}},
     {Along::columns, {210, 206, 227, 207}},
     {Along::rows, {209, 213, 237, 242}, 0, 0, 0, Copies::words},
     {Along::rows, {228, 211, 251, 255}, 0, 0, 0, Copies::pairs}},
}};

constexpr std::array<gpu::SlicedRow, 3> sliced{{
    {"sm_90a",
     {64, 64, 16, 8, 8, 4, 2},
     6,
     {Along::rows, 377},
     {Along::columns, 352},
     {},
     {Along::columns, 368, Copies::pairs}},
    {"sm_90a",
     {64, 128, 16, 8, 8, 3, 2},
     3,
     {Along::rows, 393},
     {Along::squares_2, 376},
     {},
     {Along::columns, 388, Copies::pairs}},
    {"sm_90a",
     {64, 64, 16, 8, 4, 3, 4},
     4,
     {Along::columns, 345},
     {Along::squares_4, 330},
     {Along::columns, 320, Copies::words}},
}};

/// From the same fit.
constexpr gpu::ProductCosts costs{
    .starting_few = 1610,
    .starting_some = 2210,
    .starting = 2610,
    .memory_bytes = 3570,
    .storing_per_element = 0.1028,
    .joining = 1710,
    .joining_per_byte = 0.01219,
    .moving_per_byte = 3.572e-05,
    .joining_few = 1190,
    .part = 220,
    .joining_slices_per_element = 0.05982,
    .joining_group = 940,
    .joining_group_per_byte = 0.01051,
    .sharing = 9650,
    .chaining = 18000,
    .parting = 9540,
};

constexpr gpu::ProductRates product_rates{shapes, rates, sliced, costs};

}  // namespace benchctl::cuda

// What matmul_tensor_f64_fed.cu has in numbers: who multiplies what, where slabs lie, registers.
#pragma once

constexpr int k_step = 8;           // of one instruction
constexpr int box_columns = 16;     // of a row of 128 bytes
constexpr int row_bytes = 128;
constexpr int box_step = 8 * row_bytes;  // eight rows further on the swizzle begins anew

constexpr int warps_m = TILE_M / WARP_M;
constexpr int warps_n = TILE_N / WARP_N;
constexpr int warps_of_tile = warps_m * warps_n;
constexpr int warps = warps_of_tile * SLICES;  // that multiply
constexpr int multipliers = 32 * warps;
constexpr int feeders = 32 * FEEDERS;
constexpr int threads = multipliers + feeders;

// In the slab, A lies as DEPTH / 16 boxes of TILE_M rows, B behind it as TILE_N / 16 boxes of DEPTH rows.
constexpr int a_boxes = DEPTH / box_columns;
constexpr int b_boxes = TILE_N / box_columns;
constexpr unsigned a_box_bytes = TILE_M * row_bytes;
constexpr unsigned b_box_bytes = DEPTH * row_bytes;
constexpr unsigned a_bytes = a_boxes * a_box_bytes;
constexpr unsigned stage_bytes = a_bytes + b_boxes * b_box_bytes;

// The instruction's rows are columns of C.
constexpr int row_blocks = WARP_M / 8;
constexpr int column_blocks = WARP_N / 16;
constexpr int steps = DEPTH / k_step / SLICES;  // of a slice, in a slab
static_assert(TILE_M % WARP_M == 0 && TILE_N % WARP_N == 0 && WARP_M % 8 == 0 && WARP_N % 16 == 0);
static_assert(DEPTH % box_columns == 0 && DEPTH % (k_step * SLICES) == 0 && (SLICES == 1 || SLICES == 2));
static_assert(SLICES == 1 || TILE_M * TILE_N * 8 <= STAGES * stage_bytes);

// For large sums four warps of feeders give away registers of those that every thread has when the block begins.
constexpr bool gives_registers = FEEDERS == 4 && WARP_M * WARP_N > 1024;
constexpr int registers_at_first = 65536 / (RESIDENT * threads) / 8 * 8;
constexpr int registers_of_feeders = COPY_ENGINE ? 40 : 72;
constexpr int registers_left = (registers_at_first * threads - registers_of_feeders * feeders) / multipliers / 8 * 8;
constexpr int registers_to_multiply = registers_left > 232 ? 232 : registers_left;
static_assert(!gives_registers || (registers_at_first > registers_of_feeders && registers_at_first <= registers_to_multiply));

// What matmul_register_tiled.cu has in numbers: who copies and multiplies what, registers, types.
#pragma once

#include "slices.cuh"

#define ROWS 0  // values of ALONG
#define COLUMNS 1
#define SQUARES_2 2
#define SQUARES_4 3

constexpr int width = 16 / int(sizeof(REAL));  // elements that a thread loads at once
constexpr int lanes_m = 4;                     // threads of a warp along the rows of C
constexpr int lanes_n = 8;
constexpr int warps_n = TILE_N / (lanes_n * THREAD_N);
constexpr int threads = TILE_M * TILE_N / (THREAD_M * THREAD_N);  // of a slice
constexpr int a_pitch = TILE_M + 4;
constexpr int b_pitch = TILE_N + (BEFORE == 0 ? 0 : width);
constexpr int stage_elements = DEPTH * (a_pitch + b_pitch);
constexpr int packs_m = THREAD_M / width;
constexpr int packs_n = THREAD_N / width;

// Copies of one slab by one thread.
constexpr int run = 32 / int(sizeof(REAL));  // elements of a row of A that a warp copies side by side
constexpr int a_rows = threads / run;        // rows of A that the block copies at a time
constexpr int a_copies = TILE_M / a_rows;
constexpr int b_width = B_WIDTH;                                      // elements of B that a thread copies at once
constexpr bool in_packs = b_width == width;
constexpr int b_packs = TILE_N / b_width;                             // such copies of a row of B
constexpr int b_parts = b_packs > threads ? b_packs / threads : 1;    // of a row of B, if it takes several times
constexpr int b_rows = b_packs > threads ? 1 : threads / b_packs;     // of B that the block copies at a time
constexpr int b_copies = (DEPTH + b_rows - 1) / b_rows * b_parts;
constexpr bool one_place = b_rows % width == 0;  // all rows that a thread copies begin at the same place in a pack
static_assert(b_copies / b_parts % PORTIONS == 0 || b_parts == 1);
static_assert(a_copies * a_rows == TILE_M && DEPTH % run == 0 && DEPTH % width == 0);
static_assert(b_packs > threads ? b_packs % threads == 0 : threads % b_packs == 0);

// Registers are planned for as many blocks per multiprocessor as their sums and operands leave room for. What is left
// for the rest is a little more on architectures whose compilers want it, and beside 64 sums where copies in two groups,
// or the parts of a product, keep more addresses, or the order of multiplications more operands; and what a block that
// takes several tiles keeps from one to the next. (But not where that would leave room for one block of 256 threads instead
// of two, and compilers do without.)
constexpr bool halved = __CUDA_ARCH__ == 900 && threads == 256 && BEFORE == 0;
constexpr bool crowded = THREAD_M * THREAD_N == 64 && (PORTIONS == 2 || (SPLITS > 1 && !halved));
constexpr bool apart = THREAD_M * THREAD_N == 64 && BEFORE % 2 != 0 && PORTIONS == 1;  // loads have more addresses
constexpr bool held = THREAD_M * THREAD_N == 64 && BEFORE % 2 == 0 && PORTIONS == 1 && ALONG != ROWS &&
                      (threads < 256 || ALONG == SQUARES_4);
constexpr bool small = THREAD_M * THREAD_N == 16 && BEFORE != 0;  // seven blocks per multiprocessor, not eight
#if __CUDA_ARCH__ >= 1200
constexpr bool strained = BEFORE != 0 && THREAD_M * THREAD_N == 32 && SPLITS > 1;
constexpr int other = crowded || apart || held || small ? 28 : THREAD_M * THREAD_N < 64 || PORTIONS > 2 ? 24 : 20;
constexpr int spare = strained ? 40 : other;
#elif __CUDA_ARCH__ != 900
constexpr int spare = crowded || apart || held || small ? 28 : THREAD_M * THREAD_N < 64 || PORTIONS > 2 ? 24 : 20;
#else
constexpr bool loose = (BEFORE != 0 || !in_packs) && THREAD_M * THREAD_N < 64;
constexpr bool tight = BEFORE > 1 && THREAD_M * THREAD_N == 16 && SPLITS > 1;
constexpr bool shared = EVEN == 3 && THREAD_M * THREAD_N < 64;
constexpr int spare = crowded || held || tight || shared || (apart && ALONG == ROWS) ? 28 : loose ? 24 : 20;
#endif
constexpr int words = int(sizeof(REAL)) / 4 * (THREAD_M * THREAD_N + 2 * (THREAD_M + THREAD_N)) +
                      2 * (a_copies + b_parts) + spare + (EVEN ? 4 * int(sizeof(REAL)) : 0);
constexpr int by_registers = 512 / words * 4 * 32 / threads;  // a quarter of 65536 for each of four schedulers
constexpr int by_threads = 1536 / threads;
constexpr int resident_slices = by_registers < by_threads ? by_registers : by_threads;
constexpr int resident = resident_slices < SLICES ? 1 : resident_slices / SLICES;

/// Whether a block that joins the parts of its tile keeps its own in registers, where there are some left for both. (Where
/// rows of B begin with packs that costs the loop more time.)
constexpr bool keeps_own = SPLITS > 1 && BEFORE != 0 && sizeof(REAL) * THREAD_M * THREAD_N == 256 && THREAD_N == 8;

struct alignas(16) Pack {
  REAL element[width];
};

/// Whether this slice has the block's sums in row number `i` of its threads, once they are joined.
__device__ inline bool has_row(int slice, int i) { return SLICES == 1 || slice_of_sum(i, THREAD_M) == slice; }

struct Operands {
  REAL a[THREAD_M];
  REAL b[THREAD_N];
};

struct Sums {
  REAL at[THREAD_M][THREAD_N];
};

// What matmul_strips.cu has in numbers: who multiplies what, and how a slab lies in shared memory.
#pragma once

constexpr int lanes_m = 8;  // threads of a warp along the rows of C
constexpr int lanes_n = 4;
constexpr int threads = 32 * WARPS_M * WARPS_K;
constexpr int warp_m = lanes_m * THREAD_M;  // rows of C of a warp
constexpr int tile_m = warp_m * WARPS_M;
constexpr int tile_n = lanes_n * THREAD_N;
constexpr int warp_depth = DEPTH / WARPS_K;  // steps of a slab that a warp multiplies
constexpr int quads_n = THREAD_N / 4;
constexpr bool has_pair = THREAD_N % 4 != 0;
static_assert(THREAD_N % 2 == 0 && warp_depth % 4 == 0 && DEPTH % 8 == 0);

// A slab. Eight rows of A, four floats of each, are in different banks, and so are what a warp reads of the rows of B.
constexpr int before = SHIFTED ? 3 : 0;  // steps of B that lie before the slab's
constexpr int b_rows = DEPTH + before;
constexpr int a_pitch = DEPTH + 4;
constexpr int b_pitch = tile_n + (SHIFTED && tile_n % 16 == 0 ? 8 : 0);
constexpr int a_floats = tile_m * a_pitch;
constexpr int stage_floats = a_floats + b_rows * b_pitch;

/// Where the warps add up their sums, as many rows of each thread at a time as the stages have room for.
constexpr int sums_pitch = tile_n + (tile_n % 16 == 0 ? 8 : 0);
constexpr int sums_floats = WARPS_K * tile_m * sums_pitch;
__device__ constexpr int rounds_needed() {
  int rounds = 1;
  while (sums_floats > rounds * STAGES * stage_floats) rounds *= 2;
  return rounds;
}
constexpr int rounds = rounds_needed();
static_assert(THREAD_M % rounds == 0, "shared memory has room for a row of each thread");
constexpr int round_rows = THREAD_M / rounds;
constexpr int round_quads = WARPS_M * round_rows * lanes_m * tile_n / 4;
constexpr int tile_quads = tile_m * tile_n / 4;

struct Sums {
  float at[THREAD_M][THREAD_N];
};

/// A thread's place in its block. Lanes whose bit 1 differs share rows of A, those whose bit 0 does columns of B and, where
/// rows of A begin anywhere, the beginning of their rows: what shared memory needs to serve half a warp's 16-byte loads at
/// once.
struct Place {
  int along_m;  // warp
  int along_k;
  int lane_m;
  int lane_n;

  __device__ Place() {
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    along_m = warp % WARPS_M;
    along_k = warp / WARPS_M;
    lane_m = lane / 4 % 4 + lane % 2 * 4;
    lane_n = lane / 2 % 2 + lane / 16 * 2;
  }
};

/// How many floats after a multiple of 16 bytes row number `row` begins, if row 0 begins with one.
__device__ inline int shift_of_row(int row, int k) { return SHIFTED ? int(unsigned(row) * unsigned(k) % 4) : 0; }

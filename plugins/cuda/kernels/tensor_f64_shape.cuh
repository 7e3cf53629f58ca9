// What matmul_tensor_f64.cu has in numbers: who copies and multiplies what, registers.
#pragma once

constexpr int k_step = 8;  // of one instruction
constexpr int steps = DEPTH / k_step;
constexpr int row_blocks = WARP_M / 16;
constexpr int column_blocks = WARP_N / 8;
constexpr int warps_n = TILE_N / WARP_N;
constexpr int threads = TILE_M / WARP_M * warps_n * 32;  // of a slice
constexpr bool odd_k = K_MODULO % 2 != 0;
constexpr bool odd_n = N_MODULO % 2 != 0;

/// Length modulo 16 of rows in global memory, as far as their pitch in shared memory follows it: modulo 4 only with LINES =
/// 0, and beside an operand of odd length, whose addresses leave no registers for those of turned sectors.
constexpr int modulo_of(int modulo, bool other_is_odd) {
  return !LINES || (other_is_odd && modulo % 8 == 0) ? modulo % 4 + 4 : modulo;
}
constexpr int a_modulo = modulo_of(K_MODULO, odd_n);
constexpr int b_modulo = modulo_of(N_MODULO, odd_k);
/// Pitch of rows of `part` doubles in shared memory, which are `modulo` long in global memory.
constexpr int pitch_of(int part, int modulo) {
  const int least = part + modulo % 2;
  return LINES ? least + (modulo + 512 - least) % 16 : part + 2 + (modulo + 2) % 4;
}
constexpr int a_pitch = pitch_of(DEPTH, a_modulo);
constexpr int b_pitch = pitch_of(TILE_N, b_modulo);
/// By what the places of a row's sectors of 4 doubles in their line of 16 are turned (exclusive or, in doubles), if rows
/// begin `modulo` doubles further on in their lines, so that the same sector of four rows lies in different banks.
__device__ constexpr int turn_of(int row, int modulo) { return modulo == 0 ? row % 4 * 4 : modulo == 8 ? row / 2 % 2 * 4 : 0; }
constexpr int a_places = a_modulo == 0 ? 4 : a_modulo == 8 ? 2 : 1;  // different turned sectors of a lane's row of A
constexpr int b_places = b_modulo == 0 ? 2 : 1;                      // of eight columns of B
constexpr int stage_elements = TILE_M * a_pitch + DEPTH * b_pitch;
static_assert(WARP_M % 16 == 0 && WARP_N % 16 == 0 && DEPTH % k_step == 0 && steps * row_blocks > 1);

// Copies of one slab by one thread, two doubles each.
constexpr int a_pairs = DEPTH / 2;                                    // of a row of A
constexpr int a_rows = threads / a_pairs;                             // of A that the block copies at a time
constexpr int b_pairs = TILE_N / 2;                                   // of a row of B
constexpr int b_parts = b_pairs > threads ? b_pairs / threads : 1;    // of a row of B, if it takes several times
constexpr int b_rows = b_pairs > threads ? 1 : threads / b_pairs;     // of B that the block copies at a time
constexpr int a_copies = (TILE_M + a_rows - 1) / a_rows;
constexpr int b_copies = (DEPTH + b_rows - 1) / b_rows * b_parts;
constexpr int a_ends = odd_k ? (TILE_M + threads - 1) / threads : 0;  // pairs that rows which begin early end with
constexpr int copies = a_copies + b_copies + a_ends + (odd_n ? 1 : 0);
static_assert(threads % a_pairs == 0 && a_rows % 2 == 0 && (a_rows > TILE_M || TILE_M % a_rows == 0));
static_assert(a_places == 1 || a_rows % 4 == 0);
static_assert(b_pairs > threads ? b_pairs % threads == 0 : threads % b_pairs == 0);

// Registers are planned for as many blocks per multiprocessor as their sums, operands and slabs leave room for.
constexpr bool odd = odd_k || odd_n;  // more addresses
constexpr int spare = odd && (WARP_N == 16 || EVEN)               ? 72
                      : odd && SPREAD                              ? (DEPTH > 24 && __CUDA_ARCH__ < 900 ? 72 : 64)
                      : WARP_M == 16 || DEPTH > 16 || a_places > 1 ? 48
                      : odd || SPLITS > 1                          ? 40
                                                                   : 32;
constexpr int by_registers = 65536 / (threads * SLICES * (WARP_M * WARP_N / 16 + WARP_N + spare));
constexpr int by_memory = 227 * 1024 / (SLICES * STAGES * stage_elements * 8 + 1024);
constexpr int by_either = by_registers < by_memory ? by_registers : by_memory;
constexpr int resident = by_either < 1 ? 1 : by_either * threads * SLICES > 1536 ? 1536 / (threads * SLICES) : by_either;

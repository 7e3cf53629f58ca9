// Products of a matrix and one to four vectors: C (m×n) = A (m×k) · B (k×n), row-major, with n ≤ 4 or m ≤ 4.
//
// What it shows   Two operations per element of the larger operand and vector: memory's time, or that of the last cache, is all
//                 there is. Each lane has 8 loads of 16 bytes under way, and nothing waits for anything before the sums are
//                 joined: no operand goes through local memory. The vectors are so short that what a warp reads of them is in
//                 the first-level cache for the others.
// Few columns     (BY_COLUMNS, vectors_columns.clh) A warp of 32 work-items computes ROWS rows of C; its lanes lie along k. SHARE
//                 warps of a group share rows, each with a part of k, so that long rows, too, are read by many.
// Few rows        (vectors_rows.clh) LANES lanes lie along a row of B, and 32 / LANES rows are read at a time; the warps of a
//                 group take turns. Short strips of many rows, or long ones of few: as the number of groups wants it.
// Access pattern  The larger operand once, in order, in runs of 512 bytes, or of 16 · LANES. Where rows do not begin at
//                 multiples of 16 bytes (PACKED 0), lanes read single elements.
// Arithmetic      2·m·n·k operations, one or two per byte of the larger operand and vector. Per 16 bytes of it 4 multiply-adds
//                 and, of the vectors, 16 / ROWS bytes, or 4.
// Expected limit  Memory; where the last cache holds all, that, and the launch.
//
// SHUFFLES: lanes join their sums between registers (NVIDIA's GPUs). Elsewhere they do so through local memory, and warps are no
// more than a way of counting. With SPLITS > 1 as many groups share a part of C, each for a part of k. They leave their sums in
// `partial`, and the one that ends last adds them up in the order of the parts: the result does not change from run to run.
// `finished` counts them; it is zero before and after. REAL is float or double (USE_FP64), WIDTH · sizeof(REAL) 16 bytes.
#include "count_up.clh"
#include "numbers.clh"
#include "packs.clh"
#include "parts.clh"
#if SHUFFLES
#include "shuffles.clh"
#endif

#define ITEMS (32 * WARPS)
#if WARPS & (WARPS - 1)
#error "the number of warps is not a power of two"
#endif

// An element, a pack, or one of the larger operand, which is read once, so that what else the caches hold is worth more; zero
// unless it is there. The choice is part of the instruction: with a branch around each, loads would wait for each other.
#if SHUFFLES
#define IF_THERE "{\n\t.reg .pred there;\n\tsetp.ne.u32 there, "
static PACK pack_of(uint4 bits) { return JOIN(as_, PACK)(bits); }
#define LOAD_PACK(how, bits, from, there)                                                                             \
  asm(IF_THERE "%5, 0;\n\tmov.u32 %0, 0;\n\tmov.u32 %1, 0;\n\tmov.u32 %2, 0;\n\tmov.u32 %3, 0;\n\t"                  \
      "@there ld.global." how ".v4.u32 {%0, %1, %2, %3}, [%4];\n\t}"                                                  \
      : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)                                                        \
      : "l"(from), "r"((uint)(there)))
static PACK load_once(__global const REAL* from, bool there) {
  uint4 bits;
  LOAD_PACK("cs", bits, from, there);
  return pack_of(bits);
}
static PACK load_pack(__global const REAL* from, bool there) {
  uint4 bits;
  LOAD_PACK("nc", bits, from, there);
  return pack_of(bits);
}
static REAL load_element(__global const REAL* from, bool there) {
  REAL x;
#if USE_FP64
  asm(IF_THERE "%2, 0;\n\tmov.f64 %0, 0d0000000000000000;\n\t@there ld.global.nc.f64 %0, [%1];\n\t}"
      : "=d"(x) : "l"(from), "r"((uint)there));
#else
  asm(IF_THERE "%2, 0;\n\tmov.f32 %0, 0f00000000;\n\t@there ld.global.nc.f32 %0, [%1];\n\t}"
      : "=f"(x) : "l"(from), "r"((uint)there));
#endif
  return x;
}
#else
static PACK load_pack(__global const REAL* from, bool there) {
  PACK pack = 0;
  if (there) pack = *(__global const PACK*)from;
  return pack;
}
static PACK load_once(__global const REAL* from, bool there) { return load_pack(from, there); }
static REAL load_element(__global const REAL* from, bool there) { return there ? *from : 0; }
#endif

// A group's share of C and of k.
typedef struct {
  int item;
  int lane;
  int warp;
  uint part_of_c;
  uint part_of_k;
} Share;

#if BY_COLUMNS
#include "vectors_columns.clh"
#else
#include "vectors_rows.clh"
#endif

// With the size of a group NVIDIA's compiler overlooks the limit of registers. Larger groups, too, are better off with a limit
// than with their size, which makes it save registers, 32 for each, and so loads under way: 1 × 4096 × 1024 4.9 µs, 5.8 with.
#if defined(REGISTERS_LIMITED) || (SHUFFLES && ITEMS > 256)
#define GROUP_SIZE
#else
#define GROUP_SIZE __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
#endif

__kernel GROUP_SIZE
void matmul_vectors(__global const REAL* restrict A, __global const REAL* restrict B, __global REAL* restrict C,
                    LEFT REAL* partial, volatile __global uint* finished, const int m, const int n,
                    const int k) {
  __local PACK held[HELD / WIDTH + 1];
  __local REAL* const parts = (__local REAL*)held;
  Share share;
  share.item = (int)(item_number() & (ITEMS - 1));  // which says that there are no more of them
  // Unsigned, here and below: else the compiler that Oclgrind has makes an instruction of it that the simulator does not know.
  share.lane = (int)((uint)share.item % 32);
  share.warp = (int)((uint)share.item / 32);
  share.part_of_c = group_number(0);
  share.part_of_k = group_number(1);
  compute(parts, A, B, &share, m, n, k);
  barrier(CLK_LOCAL_MEM_FENCE);
  LEFT REAL* const of_tile = partial + (size_t)share.part_of_c * (SPLITS * OUTPUTS);
  for (int o = share.item; o < OUTPUTS; o += ITEMS) {
    REAL total = 0;
#pragma unroll
    for (int other = 0; other < SHARING; ++other) total += parts[other * OUTPUTS + o];
#if SPLITS == 1
    store_output(C, o, total, share.part_of_c, m, n);
#else
    of_tile[(size_t)share.part_of_k * OUTPUTS + o] = total;
#endif
  }
#if SPLITS > 1
  __local uint before;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // all of the group have written
  if (share.item == 0) before = count_up(finished + share.part_of_c);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (before != SPLITS - 1) return;
  for (int o = share.item; o < OUTPUTS; o += ITEMS) {
    REAL total = 0;
#pragma unroll 16
    for (int part = 0; part < SPLITS; ++part) total += left_value(of_tile + (size_t)part * OUTPUTS + o);
    store_output(C, o, total, share.part_of_c, m, n);
  }
  if (share.item == 0) finished[share.part_of_c] = 0;
#endif
}

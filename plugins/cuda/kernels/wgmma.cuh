// Hopper's matrix instruction (sm_90a): a warpgroup, four warps, multiplies 64×K by K×N and adds to 64×N, here with
// N = 8 to 256, a multiple of 8.
//
// D lies in registers: lane 4·g + t of warp w has in d[4·j + p] the element of row 16·w + g + p / 2 · 8 and column
// 8·j + 2·t + p % 2. A lies in registers too, warp w holding its rows 16·w … as for `mma.sync` (mma_types.cuh), or
// in shared memory. B lies in shared memory. What lies there is described by a 64-bit word.
//
// It runs asynchronously: `wgmma_fence` before the first of a group and whenever registers were written,
// `wgmma_commit` behind the last, and `wgmma_wait<n>` until all groups but the youngest n have ended; until then
// nobody may touch the registers and the shared memory that they use.
#pragma once

/// How a matrix lies in shared memory. Rows here are those along M (of A) or N (of B).
enum class Swizzle : unsigned long long { none = 0, bytes_128 = 1 };

/// `leading` and `stride` are distances in bytes.
/// K along the rows, no swizzle: pieces of 8 rows × 16 bytes lie as 128 bytes in a run; `leading` leads to the next
/// piece along K, `stride` to the next 8 rows.
/// K along the rows, 128 bytes swizzled: rows of 128 bytes; `stride` leads to the next 8 rows.
/// K across (16-bit types only), 128 bytes swizzled: rows of 128 bytes along M or N for one k; `leading` leads to the
/// next 128 bytes along M or N, `stride` to the next 8 k.
__device__ inline unsigned long long matrix_descriptor(unsigned shared_address, unsigned leading, unsigned stride,
                                                       Swizzle swizzle) {
  return (static_cast<unsigned long long>(swizzle) << 62) |
         (static_cast<unsigned long long>((stride & 0x3ffff) >> 4) << 32) |
         (static_cast<unsigned long long>((leading & 0x3ffff) >> 4) << 16) | ((shared_address & 0x3ffff) >> 4);
}

/// The same matrix so many bytes further on, where it does not leave shared memory.
__device__ inline unsigned long long moved_descriptor(unsigned long long descriptor, unsigned bytes) {
  return (descriptor & 0xffffffff00000000) | (static_cast<unsigned>(descriptor) + bytes / 16);
}

__device__ inline unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/// Writes to shared memory by ordinary stores become visible to wgmma and to the copy engine.
__device__ inline void fence_async_proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int groups>
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
}

// D = D + A·B, or A·B where `add` is 0, with D of 64×N, N / 2 registers.
//   wgmma_tf32, wgmma_bf16    A in registers, B along K
//   wgmma_bf16_left_across    both in shared memory, A across K, B along it

// clang-format off
// The registers of D, 8 columns at a time: their names in the instruction, and what they are bound to.
#define WGMMA_NAMES_8_ "%0, %1, %2, %3"
#define WGMMA_NAMES_16_ WGMMA_NAMES_8_ ", %4, %5, %6, %7"
#define WGMMA_NAMES_24_ WGMMA_NAMES_16_ ", %8, %9, %10, %11"
#define WGMMA_NAMES_32_ WGMMA_NAMES_24_ ", %12, %13, %14, %15"
#define WGMMA_NAMES_40_ WGMMA_NAMES_32_ ", %16, %17, %18, %19"
#define WGMMA_NAMES_48_ WGMMA_NAMES_40_ ", %20, %21, %22, %23"
#define WGMMA_NAMES_56_ WGMMA_NAMES_48_ ", %24, %25, %26, %27"
#define WGMMA_NAMES_64_ WGMMA_NAMES_56_ ", %28, %29, %30, %31"
#define WGMMA_NAMES_72_ WGMMA_NAMES_64_ ", %32, %33, %34, %35"
#define WGMMA_NAMES_80_ WGMMA_NAMES_72_ ", %36, %37, %38, %39"
#define WGMMA_NAMES_88_ WGMMA_NAMES_80_ ", %40, %41, %42, %43"
#define WGMMA_NAMES_96_ WGMMA_NAMES_88_ ", %44, %45, %46, %47"
#define WGMMA_NAMES_104_ WGMMA_NAMES_96_ ", %48, %49, %50, %51"
#define WGMMA_NAMES_112_ WGMMA_NAMES_104_ ", %52, %53, %54, %55"
#define WGMMA_NAMES_120_ WGMMA_NAMES_112_ ", %56, %57, %58, %59"
#define WGMMA_NAMES_128_ WGMMA_NAMES_120_ ", %60, %61, %62, %63"
#define WGMMA_NAMES_136_ WGMMA_NAMES_128_ ", %64, %65, %66, %67"
#define WGMMA_NAMES_144_ WGMMA_NAMES_136_ ", %68, %69, %70, %71"
#define WGMMA_NAMES_152_ WGMMA_NAMES_144_ ", %72, %73, %74, %75"
#define WGMMA_NAMES_160_ WGMMA_NAMES_152_ ", %76, %77, %78, %79"
#define WGMMA_NAMES_168_ WGMMA_NAMES_160_ ", %80, %81, %82, %83"
#define WGMMA_NAMES_176_ WGMMA_NAMES_168_ ", %84, %85, %86, %87"
#define WGMMA_NAMES_184_ WGMMA_NAMES_176_ ", %88, %89, %90, %91"
#define WGMMA_NAMES_192_ WGMMA_NAMES_184_ ", %92, %93, %94, %95"
#define WGMMA_NAMES_200_ WGMMA_NAMES_192_ ", %96, %97, %98, %99"
#define WGMMA_NAMES_208_ WGMMA_NAMES_200_ ", %100, %101, %102, %103"
#define WGMMA_NAMES_216_ WGMMA_NAMES_208_ ", %104, %105, %106, %107"
#define WGMMA_NAMES_224_ WGMMA_NAMES_216_ ", %108, %109, %110, %111"
#define WGMMA_NAMES_232_ WGMMA_NAMES_224_ ", %112, %113, %114, %115"
#define WGMMA_NAMES_240_ WGMMA_NAMES_232_ ", %116, %117, %118, %119"
#define WGMMA_NAMES_248_ WGMMA_NAMES_240_ ", %120, %121, %122, %123"
#define WGMMA_NAMES_256_ WGMMA_NAMES_248_ ", %124, %125, %126, %127"
#define WGMMA_FOUR_(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define WGMMA_SUMS_8_ WGMMA_FOUR_(0)
#define WGMMA_SUMS_16_ WGMMA_SUMS_8_, WGMMA_FOUR_(4)
#define WGMMA_SUMS_24_ WGMMA_SUMS_16_, WGMMA_FOUR_(8)
#define WGMMA_SUMS_32_ WGMMA_SUMS_24_, WGMMA_FOUR_(12)
#define WGMMA_SUMS_40_ WGMMA_SUMS_32_, WGMMA_FOUR_(16)
#define WGMMA_SUMS_48_ WGMMA_SUMS_40_, WGMMA_FOUR_(20)
#define WGMMA_SUMS_56_ WGMMA_SUMS_48_, WGMMA_FOUR_(24)
#define WGMMA_SUMS_64_ WGMMA_SUMS_56_, WGMMA_FOUR_(28)
#define WGMMA_SUMS_72_ WGMMA_SUMS_64_, WGMMA_FOUR_(32)
#define WGMMA_SUMS_80_ WGMMA_SUMS_72_, WGMMA_FOUR_(36)
#define WGMMA_SUMS_88_ WGMMA_SUMS_80_, WGMMA_FOUR_(40)
#define WGMMA_SUMS_96_ WGMMA_SUMS_88_, WGMMA_FOUR_(44)
#define WGMMA_SUMS_104_ WGMMA_SUMS_96_, WGMMA_FOUR_(48)
#define WGMMA_SUMS_112_ WGMMA_SUMS_104_, WGMMA_FOUR_(52)
#define WGMMA_SUMS_120_ WGMMA_SUMS_112_, WGMMA_FOUR_(56)
#define WGMMA_SUMS_128_ WGMMA_SUMS_120_, WGMMA_FOUR_(60)
#define WGMMA_SUMS_136_ WGMMA_SUMS_128_, WGMMA_FOUR_(64)
#define WGMMA_SUMS_144_ WGMMA_SUMS_136_, WGMMA_FOUR_(68)
#define WGMMA_SUMS_152_ WGMMA_SUMS_144_, WGMMA_FOUR_(72)
#define WGMMA_SUMS_160_ WGMMA_SUMS_152_, WGMMA_FOUR_(76)
#define WGMMA_SUMS_168_ WGMMA_SUMS_160_, WGMMA_FOUR_(80)
#define WGMMA_SUMS_176_ WGMMA_SUMS_168_, WGMMA_FOUR_(84)
#define WGMMA_SUMS_184_ WGMMA_SUMS_176_, WGMMA_FOUR_(88)
#define WGMMA_SUMS_192_ WGMMA_SUMS_184_, WGMMA_FOUR_(92)
#define WGMMA_SUMS_200_ WGMMA_SUMS_192_, WGMMA_FOUR_(96)
#define WGMMA_SUMS_208_ WGMMA_SUMS_200_, WGMMA_FOUR_(100)
#define WGMMA_SUMS_216_ WGMMA_SUMS_208_, WGMMA_FOUR_(104)
#define WGMMA_SUMS_224_ WGMMA_SUMS_216_, WGMMA_FOUR_(108)
#define WGMMA_SUMS_232_ WGMMA_SUMS_224_, WGMMA_FOUR_(112)
#define WGMMA_SUMS_240_ WGMMA_SUMS_232_, WGMMA_FOUR_(116)
#define WGMMA_SUMS_248_ WGMMA_SUMS_240_, WGMMA_FOUR_(120)
#define WGMMA_SUMS_256_ WGMMA_SUMS_248_, WGMMA_FOUR_(124)
// clang-format on

/// For one N: `a_` to `f_` are the numbers of the operands behind the registers of D.
#define WGMMA_(columns, registers, a_, b_, c_, d_, e_, f_)                                                            \
  __device__ inline void wgmma_tf32(float(&d)[registers], const unsigned(&a)[4], unsigned long long b, int add) {     \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #f_                                                               \
                 ", 0; wgmma.mma_async.sync.aligned.m64n" #columns                                                    \
                 "k8.f32.tf32.tf32 {" WGMMA_NAMES_##columns##_ "}, {%" #a_ ", %" #b_ ", %" #c_ ", %" #d_ "}, %" #e_   \
                 ", p, 1, 1; }"                                                                                       \
                 : WGMMA_SUMS_##columns##_                                                                            \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));                                     \
  }                                                                                                                   \
  __device__ inline void wgmma_bf16(float(&d)[registers], const unsigned(&a)[4], unsigned long long b, int add) {     \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #f_                                                               \
                 ", 0; wgmma.mma_async.sync.aligned.m64n" #columns                                                    \
                 "k16.f32.bf16.bf16 {" WGMMA_NAMES_##columns##_ "}, {%" #a_ ", %" #b_ ", %" #c_ ", %" #d_ "}, %" #e_  \
                 ", p, 1, 1, 0; }"                                                                                    \
                 : WGMMA_SUMS_##columns##_                                                                            \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));                                     \
  }                                                                                                                   \
  __device__ inline void wgmma_bf16_left_across(float(&d)[registers], unsigned long long a, unsigned long long b,     \
                                                int add) {                                                            \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #c_                                                               \
                 ", 0; wgmma.mma_async.sync.aligned.m64n" #columns                                                    \
                 "k16.f32.bf16.bf16 {" WGMMA_NAMES_##columns##_ "}, %" #a_ ", %" #b_ ", p, 1, 1, 1, 0; }"             \
                 : WGMMA_SUMS_##columns##_                                                                            \
                 : "l"(a), "l"(b), "r"(add));                                                                         \
  }
WGMMA_(8, 4, 4, 5, 6, 7, 8, 9)
WGMMA_(16, 8, 8, 9, 10, 11, 12, 13)
WGMMA_(24, 12, 12, 13, 14, 15, 16, 17)
WGMMA_(32, 16, 16, 17, 18, 19, 20, 21)
WGMMA_(40, 20, 20, 21, 22, 23, 24, 25)
WGMMA_(48, 24, 24, 25, 26, 27, 28, 29)
WGMMA_(56, 28, 28, 29, 30, 31, 32, 33)
WGMMA_(64, 32, 32, 33, 34, 35, 36, 37)
WGMMA_(72, 36, 36, 37, 38, 39, 40, 41)
WGMMA_(80, 40, 40, 41, 42, 43, 44, 45)
WGMMA_(88, 44, 44, 45, 46, 47, 48, 49)
WGMMA_(96, 48, 48, 49, 50, 51, 52, 53)
WGMMA_(104, 52, 52, 53, 54, 55, 56, 57)
WGMMA_(112, 56, 56, 57, 58, 59, 60, 61)
WGMMA_(120, 60, 60, 61, 62, 63, 64, 65)
WGMMA_(128, 64, 64, 65, 66, 67, 68, 69)
WGMMA_(136, 68, 68, 69, 70, 71, 72, 73)
WGMMA_(144, 72, 72, 73, 74, 75, 76, 77)
WGMMA_(152, 76, 76, 77, 78, 79, 80, 81)
WGMMA_(160, 80, 80, 81, 82, 83, 84, 85)
WGMMA_(168, 84, 84, 85, 86, 87, 88, 89)
WGMMA_(176, 88, 88, 89, 90, 91, 92, 93)
WGMMA_(184, 92, 92, 93, 94, 95, 96, 97)
WGMMA_(192, 96, 96, 97, 98, 99, 100, 101)
WGMMA_(200, 100, 100, 101, 102, 103, 104, 105)
WGMMA_(208, 104, 104, 105, 106, 107, 108, 109)
WGMMA_(216, 108, 108, 109, 110, 111, 112, 113)
WGMMA_(224, 112, 112, 113, 114, 115, 116, 117)
WGMMA_(232, 116, 116, 117, 118, 119, 120, 121)
WGMMA_(240, 120, 120, 121, 122, 123, 124, 125)
WGMMA_(248, 124, 124, 125, 126, 127, 128, 129)
WGMMA_(256, 128, 128, 129, 130, 131, 132, 133)

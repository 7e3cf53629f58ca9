// Hopper's matrix instruction (sm_90a): a warpgroup, four warps, multiplies 64×K by K×N and adds to 64×N, here with
// N = 256 or 128.
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

// D = D + A·B, or A·B where `add` is 0, with D of 64×256 (128 registers) or 64×128 (64 registers).
//   wgmma_tf32, wgmma_bf16   A in registers, B along K
//   wgmma_bf16_across        both in shared memory, A along K, B across

#define WGMMA_D256_NAMES_ \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, " \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define WGMMA_D256_ \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), \
  "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), \
  "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), \
  "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), \
  "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), \
  "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), \
  "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), \
  "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), \
  "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), \
  "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), \
  "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), \
  "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), \
  "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), \
  "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]), \
  "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), \
  "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])

__device__ inline void wgmma_tf32(float (&d)[128], const unsigned (&a)[4], unsigned long long b, int add) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %133, 0; "
               "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" WGMMA_D256_NAMES_
               "}, {%128, %129, %130, %131}, %132, p, 1, 1; }"
               : WGMMA_D256_
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

__device__ inline void wgmma_bf16(float (&d)[128], const unsigned (&a)[4], unsigned long long b, int add) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %133, 0; "
               "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" WGMMA_D256_NAMES_
               "}, {%128, %129, %130, %131}, %132, p, 1, 1, 0; }"
               : WGMMA_D256_
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

__device__ inline void wgmma_bf16_across(float (&d)[128], unsigned long long a, unsigned long long b, int add) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; "
               "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" WGMMA_D256_NAMES_
               "}, %128, %129, p, 1, 1, 0, 1; }"
               : WGMMA_D256_
               : "l"(a), "l"(b), "r"(add));
}

#define WGMMA_D128_NAMES_ \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define WGMMA_D128_ \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), \
  "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), \
  "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), \
  "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), \
  "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), \
  "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), \
  "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), \
  "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])

__device__ inline void wgmma_tf32(float (&d)[64], const unsigned (&a)[4], unsigned long long b, int add) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; "
               "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {" WGMMA_D128_NAMES_
               "}, {%64, %65, %66, %67}, %68, p, 1, 1; }"
               : WGMMA_D128_
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

__device__ inline void wgmma_bf16_across(float (&d)[64], unsigned long long a, unsigned long long b, int add) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; "
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" WGMMA_D128_NAMES_
               "}, %64, %65, p, 1, 1, 0, 1; }"
               : WGMMA_D128_
               : "l"(a), "l"(b), "r"(add));
}

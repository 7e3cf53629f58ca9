// What a thread of the access kernels moves at once, and the load that does it.
//
// WIDTH is the bytes of an element; CACHE_OP is `ca` (cache on all levels) or `cg` (past the first-level cache).
#pragma once

#define ACCESS_JOIN_(x, y) x##y
#define ACCESS_JOIN(x, y) ACCESS_JOIN_(x, y)
#define ACCESS_TEXT_(x) #x
#define ACCESS_TEXT(x) ACCESS_TEXT_(x)

using Bytes1 = unsigned char;
using Bytes2 = unsigned short;
using Bytes4 = unsigned int;
using Bytes8 = uint2;
using Bytes16 = uint4;
using Element = ACCESS_JOIN(Bytes, WIDTH);

#define LOAD "ld.global." ACCESS_TEXT(CACHE_OP)

__device__ __forceinline__ Bytes1 load(const Bytes1* from) {
  unsigned int value;
  asm(LOAD ".u8 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(from)));
  return static_cast<Bytes1>(value);
}
__device__ __forceinline__ Bytes2 load(const Bytes2* from) {
  Bytes2 value;
  asm(LOAD ".u16 %0, [%1];" : "=h"(value) : "l"(__cvta_generic_to_global(from)));
  return value;
}
__device__ __forceinline__ Bytes4 load(const Bytes4* from) {
  Bytes4 value;
  asm(LOAD ".u32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(from)));
  return value;
}
__device__ __forceinline__ Bytes8 load(const Bytes8* from) {
  Bytes8 value;
  asm(LOAD ".v2.u32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "l"(__cvta_generic_to_global(from)));
  return value;
}
__device__ __forceinline__ Bytes16 load(const Bytes16* from) {
  Bytes16 value;
  asm(LOAD ".v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
      : "l"(__cvta_generic_to_global(from)));
  return value;
}

// What a masked thread writes: every byte 0x5A.
__device__ __forceinline__ void fill(Bytes1& to) { to = 0x5A; }
__device__ __forceinline__ void fill(Bytes2& to) { to = 0x5A5A; }
__device__ __forceinline__ void fill(Bytes4& to) { to = 0x5A5A5A5A; }
__device__ __forceinline__ void fill(Bytes8& to) { to = make_uint2(0x5A5A5A5A, 0x5A5A5A5A); }
__device__ __forceinline__ void fill(Bytes16& to) {
  to = make_uint4(0x5A5A5A5A, 0x5A5A5A5A, 0x5A5A5A5A, 0x5A5A5A5A);
}

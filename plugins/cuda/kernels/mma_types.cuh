// What the tensor cores take: numbers rounded to tf32 or bf16, in 32-bit registers, and the multiply-accumulate
// of a warp that every GPU from compute capability 8.0 on has.
//
// tf32  float's sign and exponent with 10 of its 23 fraction bits; one number in a register
// bf16  the upper half of a float, 7 fraction bits; two numbers in a register, the first in the lower half
//
// Lane 4·g + t of the warp holds these elements (row, column):
//                  tf32: D 16×8 += A 16×8 · B 8×8      bf16: D 16×8 += A 16×16 · B 16×8
//   a[0] … a[3]    (g, t) (g+8, t) (g, t+4) (g+8, t+4)  (g, 2t…) (g+8, 2t…) (g, 2t+8…) (g+8, 2t+8…), pairs along k
//   b[0], b[1]     (t, g) (t+4, g)                      (2t…, g) (2t+8…, g), pairs along k
//   d[0] … d[3]    (g, 2t) (g, 2t+1) (g+8, 2t) (g+8, 2t+1)
#pragma once

/// To the nearest, ties away from zero: half a unit of the last place is added, and the tensor core ignores the
/// 13 bits below it. (A NaN with all fraction bits set does not survive.)
__device__ inline unsigned as_tf32(unsigned float_bits) { return float_bits + 0x1000; }
__device__ inline unsigned as_tf32(float x) { return as_tf32(__float_as_uint(x)); }

/// A float as the sum of two tf32 numbers, to 22 digits: the nearest one, and what is missing. Finite floats only, below
/// 2^128 - 2^116, above which there is no nearest one.
__device__ inline unsigned high_tf32(unsigned float_bits) { return as_tf32(float_bits) & 0xffffe000; }
__device__ inline unsigned low_tf32(unsigned float_bits) {
  return as_tf32(__uint_as_float(float_bits) - __uint_as_float(high_tf32(float_bits)));
}

/// Two floats to the nearest bf16, ties to even.
__device__ inline unsigned as_bf16_pair(float low, float high) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

__device__ inline void mma_tf32(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline void mma_bf16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

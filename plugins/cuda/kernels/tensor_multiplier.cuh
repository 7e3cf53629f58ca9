// How matmul_tensor.cu loads fragments of a slab and multiplies them.
#pragma once

#include "tensor_shape.cuh"

struct Fragments {
  unsigned a[rows_m][4];
  unsigned b[columns_n][2];
};

struct Sums {
  float d[rows_m][columns_n][4];
};

/// Where the lane's first fragments in a slab are.
struct Places {
  unsigned a;
  unsigned b;
  __device__ Places(int warp_row, int warp_column, int lane) {
    a = a_place(warp_row + lane % 16, lane / 16 * 16);
#if TF32
    b = a_bytes + b_place(lane % 4, warp_column * 4 + lane / 4 * 16);
#else
    b = a_bytes + b_place(lane % 16, warp_column * 2 + lane / 16 * 16);
#endif
  }
};

/// The fragments of step `step` of the slab in `stage`.
__device__ inline void load(Fragments& to, unsigned stage, const Places& places, int step) {
  const unsigned a = stage + (places.a ^ unsigned(step * 32));
#pragma unroll
  for (int i = 0; i < rows_m; ++i) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to.a[i][0]), "=r"(to.a[i][1]), "=r"(to.a[i][2]), "=r"(to.a[i][3])
                 : "r"(a + i * 16 * a_row)
                 : "memory");
  }
#if TF32
#pragma unroll
  for (int j = 0; j < columns_n; j += 4) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(to.b[j][half]), "=r"(to.b[j + 1][half]), "=r"(to.b[j + 2][half]), "=r"(to.b[j + 3][half])
                   : "r"(stage + places.b + (step * 8 + half * 4) * b_row + j * 32)
                   : "memory");
    }
  }
#else
#pragma unroll
  for (int j = 0; j < columns_n; j += 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to.b[j][0]), "=r"(to.b[j][1]), "=r"(to.b[j + 1][0]), "=r"(to.b[j + 1][1])
                 : "r"(stage + (places.b ^ unsigned(j * 16)) + step * 16 * b_row)
                 : "memory");
  }
#endif
}

#if TERMS == 3
/// d = a·b
__device__ inline void mma_anew(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %10, %10, %10};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(0.0f));
}

/// Leaves the nearest tf32 number in `word` and puts what it lacks into `low`, whose last digits the tensor core cuts
/// off: to round it as well makes no difference to the result's error.
__device__ inline void split(unsigned& word, unsigned& low) {
  const unsigned high = as_tf32(word);
  low = __float_as_uint(__uint_as_float(word) - __uint_as_float(high & 0xffffe000));
  word = high;
}
#endif

/// Adds products to the warp's sums.
struct Multiplier {
  Sums sums = {};
#if TERMS == 3
  Sums kept;  // in the tensor cores, for some steps

  /// Step `step` of a slab; `amid` is called between two instructions of it.
  template <typename Amid>
  __device__ void multiply(Fragments& high, int step, Amid amid) {
    Fragments low;
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int part = 0; part < 4; ++part) split(high.a[i][part], low.a[i][part]);
    }
#pragma unroll
    for (int j = 0; j < columns_n; ++j) {
#pragma unroll
      for (int part = 0; part < 2; ++part) split(high.b[j][part], low.b[j][part]);
    }
    // Products of one element, which wait for one another, lie as far apart as can be.
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int j = 0; j < columns_n; ++j) {
        if (step % steps_kept == 0) {
          mma_anew(kept.d[i][j], low.a[i], high.b[j]);
        } else {
          mma_tf32(kept.d[i][j], low.a[i], high.b[j]);
        }
      }
    }
    amid();
    add_products(high.a, low.b);
    add_products(high.a, high.b);
    if (step % steps_kept == steps_kept - 1 || step == steps - 1) add_kept();
  }

 private:
  __device__ void add_products(const unsigned (&a)[rows_m][4], const unsigned (&b)[columns_n][2]) {
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int j = 0; j < columns_n; ++j) mma_tf32(kept.d[i][j], a[i], b[j]);
    }
  }
  __device__ void add_kept() {
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int j = 0; j < columns_n; ++j) {
#pragma unroll
        for (int part = 0; part < 4; ++part) sums.d[i][j][part] += kept.d[i][j][part];
      }
    }
  }
#else
  /// A step of a slab; `amid` is called between two instructions of it.
  template <typename Amid>
  __device__ void multiply(Fragments& of, int /*step*/, Amid amid) {
#if TF32
#pragma unroll
    for (int j = 0; j < columns_n; ++j) {
#pragma unroll
      for (int part = 0; part < 2; ++part) of.b[j][part] = as_tf32(of.b[j][part]);
    }
#endif
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
      if (i == rows_m / 2) amid();
#if TF32
#pragma unroll
      for (int part = 0; part < 4; ++part) of.a[i][part] = as_tf32(of.a[i][part]);
#endif
#pragma unroll
      for (int column = 0; column < columns_n; ++column) {
        const int j = i % 2 == 0 ? column : columns_n - 1 - column;  // there and back: each shares an operand
#if TF32
        mma_tf32(sums.d[i][j], of.a[i], of.b[j]);
#else
        mma_bf16(sums.d[i][j], of.a[i], of.b[j]);
#endif
      }
    }
  }
#endif
};

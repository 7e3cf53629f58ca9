// Matrix multiplication on tensor cores, for every GPU from compute capability 8.0 on: C (m×n) = A (m×k) · B (k×n),
// row-major.
//
// What it shows   What it takes to keep `mma.sync` busy. A block computes TILE_M×TILE_N elements of C, a warp at most
//                 64×64 of them in registers. Along k it walks in slabs of DEPTH, of which STAGES lie in shared memory:
//                 while one is multiplied, cp.async brings the next ones past the registers.
// Access pattern  Slabs are copied 16 bytes per thread (less where rows begin at odd places), neighbouring threads
//                 next to one another. In shared memory each row is padded so that eight rows start in different
//                 banks: `ldmatrix` reads A's fragments, and bf16's of B, without conflicts; B's in tf32 take one
//                 word per lane, four rows of eight words that are eight banks apart.
// Arithmetic      2·m·n·k operations. Per 32 of k and warp of 64×64: 16 KB out of shared memory (tf32; bf16 half) for
//                 262144 operations. Per block of 128×128: 32 KB (16 KB) from the second-level cache for
//                 1048576 operations, 32 (64) per byte.
// Expected limit  The tensor cores; on Hopper mma.sync reaches some 70 % of them (peaks/mma_tf32, mma_bf16). Small
//                 products: too few blocks for all multiprocessors.
//
// TF32 is 1 for float matrices, rounded to tf32 on the way into the tensor cores, and 0 for bf16 ones. TERMS is 3 for
// floats as sums of two tf32 numbers, whose products are three of tf32 ones, added up in ordinary arithmetic after every
// step of 8 (matmul_wgmma_3xtf32.cu says why); 1 otherwise. Sums are kept in float; C is rounded to the type of the matrices. A_BYTES and B_BYTES say how many bytes can be copied at once: 16
// where rows are multiples of that, down to one element. What lies outside of A and B counts as zero. Blocks go
// through C in bands of 8 tiles' height, so that those that run together share rows of A and columns of B in the
// second-level cache.
#include "mma_types.cuh"

constexpr int depth = DEPTH;
constexpr int warp_m = TILE_M >= 128 ? 64 : 32;
constexpr int warp_n = TILE_N >= 128 && TERMS == 1 ? 64 : 32;  // operands in two parts leave fewer registers to sums
constexpr int warps_n = TILE_N / warp_n;
constexpr int threads = TILE_M / warp_m * warps_n * 32;
#if TF32
using Element = float;
constexpr int k_step = 8;  // of one instruction
#else
using Element = unsigned short;
constexpr int k_step = 16;
#endif
constexpr int a_pitch = depth + 16 / int(sizeof(Element));
constexpr int b_pitch = TILE_N + 8;
constexpr int stage_elements = TILE_M * a_pitch + depth * b_pitch;
constexpr int band = 8;
constexpr int steps_unrolled = TERMS == 1 ? depth / k_step : 2;  // more would cost registers

__device__ inline unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

/// BYTES from global to shared memory, zeros instead if they are not `there`.
template <int bytes>
__device__ inline void copy_piece(Element* to, const Element* from, bool there) {
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
                 "r"(there ? bytes : 0));
  } else if constexpr (bytes >= 4) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(to)), "l"(from), "n"(bytes),
                 "r"(there ? bytes : 0));
  } else {
    *to = there ? *from : Element(0);
  }
}

/// A rows×columns piece of a matrix whose rows are `stride` elements apart; `rows_left` × `columns_left` of it exist.
template <int rows, int columns, int pitch, int bytes>
__device__ inline void copy_tile(Element* to, const Element* from, size_t stride, int rows_left, int columns_left) {
  constexpr int width = bytes / int(sizeof(Element));
  constexpr int pieces = columns / width;
#pragma unroll 4
  for (int piece = threadIdx.x; piece < rows * pieces; piece += threads) {
    const int row = piece / pieces;
    const int column = piece % pieces * width;
    const bool there = row < rows_left && column < columns_left;
    copy_piece<bytes>(to + row * pitch + column, there ? from + row * stride + column : from, there);
  }
}

__device__ inline void load_matrices(unsigned (&to)[4], const Element* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(from))
               : "memory");
}

__device__ inline void load_transposed(unsigned (&first)[2], unsigned (&second)[2], const Element* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(first[0]), "=r"(first[1]), "=r"(second[0]), "=r"(second[1])
               : "r"(shared_address(from))
               : "memory");
}

struct Accumulators {
  float d[warp_m / 16][warp_n / 8][4];
};

#if TF32
/// Part `part` of the fragment of B whose first column is number `column`.
__device__ inline unsigned b_word(const Element* b, int column, int part) {
  const int lane = threadIdx.x % 32;
  return __float_as_uint(b[(lane % 4 + 4 * part) * b_pitch + column + lane / 4]);
}
#endif

/// Adds the products of one step of k: `a_of` as it lies in memory, `b` beginning with the step and the first column of
/// the warp.
#if TF32 && TERMS == 3
__device__ inline void multiply_step(Accumulators& sums, const unsigned (&a_of)[warp_m / 16][4], const Element* b) {
  unsigned a_high[warp_m / 16][4];
  unsigned a_low[warp_m / 16][4];
#pragma unroll
  for (int i = 0; i < warp_m / 16; ++i) {
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      a_high[i][part] = high_tf32(a_of[i][part]);
      a_low[i][part] = low_tf32(a_of[i][part]);
    }
  }
#pragma unroll
  for (int j = 0; j < warp_n / 8; ++j) {
    unsigned b_high[2];
    unsigned b_low[2];
#pragma unroll
    for (int part = 0; part < 2; ++part) {
      const unsigned word = b_word(b, 8 * j, part);
      b_high[part] = high_tf32(word);
      b_low[part] = low_tf32(word);
    }
#pragma unroll
    for (int i = 0; i < warp_m / 16; ++i) {
      float d[4] = {};
      mma_tf32(d, a_low[i], b_high);
      mma_tf32(d, a_high[i], b_low);
      mma_tf32(d, a_high[i], b_high);
#pragma unroll
      for (int element = 0; element < 4; ++element) sums.d[i][j][element] += d[element];
    }
  }
}
#elif TF32
__device__ inline void multiply_step(Accumulators& sums, unsigned (&a_of)[warp_m / 16][4], const Element* b) {
#pragma unroll
  for (int i = 0; i < warp_m / 16; ++i) {
#pragma unroll
    for (int part = 0; part < 4; ++part) a_of[i][part] = as_tf32(a_of[i][part]);
  }
#pragma unroll
  for (int j = 0; j < warp_n / 8; ++j) {
    const unsigned b_of[2] = {as_tf32(b_word(b, 8 * j, 0)), as_tf32(b_word(b, 8 * j, 1))};
#pragma unroll
    for (int i = 0; i < warp_m / 16; ++i) mma_tf32(sums.d[i][j], a_of[i], b_of);
  }
}
#else
__device__ inline void multiply_step(Accumulators& sums, const unsigned (&a_of)[warp_m / 16][4], const Element* b) {
  const int lane = threadIdx.x % 32;
  unsigned b_of[warp_n / 8][2];
#pragma unroll
  for (int j = 0; j < warp_n / 8; j += 2) {
    load_transposed(b_of[j], b_of[j + 1], b + (lane % 16) * b_pitch + 8 * j + lane / 16 * 8);
  }
#pragma unroll
  for (int i = 0; i < warp_m / 16; ++i) {
#pragma unroll
    for (int j = 0; j < warp_n / 8; ++j) mma_bf16(sums.d[i][j], a_of[i], b_of[j]);
  }
}
#endif

/// Multiplies a slab: `a` begins with the first row of the warp, `b` with its first column.
__device__ inline void multiply_slab(Accumulators& sums, const Element* a, const Element* b) {
  const int lane = threadIdx.x % 32;
#pragma unroll steps_unrolled
  for (int k = 0; k < depth; k += k_step) {
    unsigned a_of[warp_m / 16][4];
#pragma unroll
    for (int i = 0; i < warp_m / 16; ++i) {
      load_matrices(a_of[i], a + (16 * i + lane % 16) * a_pitch + k + lane / 16 * (16 / int(sizeof(Element))));
    }
    multiply_step(sums, a_of, b + k * b_pitch);
  }
}

/// Two neighbours of a row of C, of which `left` exist. `paired` if every even column lies on a pair's boundary.
__device__ inline void store_pair(Element* to, float first, float second, int left, bool paired) {
#if TF32
  if (paired && left >= 2) {
    *reinterpret_cast<float2*>(to) = make_float2(first, second);
  } else {
    if (left > 0) to[0] = first;
    if (left > 1) to[1] = second;
  }
#else
  const unsigned pair = as_bf16_pair(first, second);
  if (paired && left >= 2) {
    *reinterpret_cast<unsigned*>(to) = pair;
  } else {
    if (left > 0) to[0] = Element(pair);
    if (left > 1) to[1] = Element(pair >> 16);
  }
#endif
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    matmul_tensor(const Element* __restrict__ A, const Element* __restrict__ B, Element* __restrict__ C, int m, int n,
                  int k) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  Element* stages = reinterpret_cast<Element*>(shared_memory);

  const unsigned tiles_m = (unsigned(m) + TILE_M - 1) / TILE_M;
  const unsigned tiles_n = (unsigned(n) + TILE_N - 1) / TILE_N;
  const unsigned band_first = blockIdx.x / (band * tiles_n) * band;
  const unsigned band_height = tiles_m - band_first < band ? tiles_m - band_first : band;
  const unsigned in_band = blockIdx.x % (band * tiles_n);
  const size_t first_row = size_t{band_first + in_band % band_height} * TILE_M;
  const size_t first_column = size_t{in_band / band_height} * TILE_N;
  const int rows_left = int(m - first_row);
  const int columns_left = int(n - first_column);

  const Element* a = A + first_row * k;
  const Element* b = B + first_column;
  const int slabs = int((unsigned(k) + depth - 1) / depth);
  const auto fetch = [&](int slab) {
    if (slab < slabs) {
      Element* stage = stages + slab % STAGES * stage_elements;
      copy_tile<TILE_M, depth, a_pitch, A_BYTES>(stage, a + size_t(slab) * depth, k, rows_left, k - slab * depth);
      copy_tile<depth, TILE_N, b_pitch, B_BYTES>(stage + TILE_M * a_pitch, b + size_t(slab) * depth * n, n,
                                                 k - slab * depth, columns_left);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };

  const int warp = threadIdx.x / 32;
  const int warp_row = warp / warps_n * warp_m;
  const int warp_column = warp % warps_n * warp_n;
  Accumulators sums = {};
#pragma unroll
  for (int slab = 0; slab < STAGES - 1; ++slab) fetch(slab);
  for (int slab = 0; slab < slabs; ++slab) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();  // the slab is complete for all, and nobody reads the one before it any more
    fetch(slab + STAGES - 1);
    const Element* stage = stages + slab % STAGES * stage_elements;
    multiply_slab(sums, stage + warp_row * a_pitch, stage + TILE_M * a_pitch + warp_column);
  }

  const int lane = threadIdx.x % 32;
  const bool paired = n % 2 == 0;
#pragma unroll
  for (int i = 0; i < warp_m / 16; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = warp_row + 16 * i + 8 * half + lane / 4;
      if (row >= rows_left) continue;
      Element* c = C + (first_row + row) * n + first_column;
#pragma unroll
      for (int j = 0; j < warp_n / 8; ++j) {
        const int column = warp_column + 8 * j + lane % 4 * 2;
        store_pair(c + column, sums.d[i][j][2 * half], sums.d[i][j][2 * half + 1], columns_left - column, paired);
      }
    }
  }
}

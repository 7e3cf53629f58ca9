// The operands of a product, A (m×k) and B (k×n), copied so that all their rows begin at multiples of 32 and 16 bytes;
// rows are filled up with zeros.
//
// What it shows   Asynchronous copies to shared memory bring 16 bytes at a time only from and to multiples of 16. Where n
//                 is odd, three of four rows of B begin elsewhere; runs of 32 bytes of A touch two sectors each. A
//                 product that reads every row many times pays for that each time. To move the matrices once costs less.
// Access pattern  A thread writes 16 bytes and reads as many, one element at a time; its warp reads one run.
// Expected limit  Memory bandwidth: each matrix is read and written once.
//
// REAL is float or double.
constexpr int width = 16 / int(sizeof(REAL));

struct alignas(16) Pack {
  REAL element[width];
};

/// Pack number `i` of a matrix whose rows have `columns` elements and are to take `pitch` packs.
__device__ inline Pack pack_of(const REAL* matrix, size_t i, int columns, size_t pitch) {
  const size_t row = i / pitch;
  const int column = int(i % pitch) * width;
  const REAL* from = matrix + row * columns + column;
  Pack pack;
#pragma unroll
  for (int j = 0; j < width; ++j) pack.element[j] = column + j < columns ? from[j] : REAL(0);
  return pack;
}

extern "C" __global__ void align_rows(const REAL* __restrict__ A, const REAL* __restrict__ B,
                                      Pack* __restrict__ aligned_a, Pack* __restrict__ aligned_b, int m, int n, int k) {
  const size_t a_pitch = (size_t(k) + 2 * width - 1) / (2 * width) * 2;
  const size_t b_pitch = (size_t(n) + width - 1) / width;
  const size_t a_packs = a_pitch * m;
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < a_packs + b_pitch * k; i += step) {
    if (i < a_packs) {
      aligned_a[i] = pack_of(A, i, k, a_pitch);
    } else {
      aligned_b[i - a_packs] = pack_of(B, i - a_packs, n, b_pitch);
    }
  }
}

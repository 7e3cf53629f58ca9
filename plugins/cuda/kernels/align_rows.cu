// A matrix copied so that each of its rows begins at a multiple of 16 bytes: B (k×n), rows filled up with zeros.
//
// What it shows   Asynchronous copies to shared memory bring 16 bytes at a time only from and to multiples of 16. Where n
//                 is odd, three of four rows begin elsewhere, and a product that reads every row m / TILE_M times
//                 pays for that each time. To move the matrix once costs less.
// Access pattern  A thread writes 16 bytes and reads as many, one element at a time; its warp reads one run.
// Expected limit  Memory bandwidth: the matrix is read and written once.
//
// REAL is float or double.
constexpr int width = 16 / int(sizeof(REAL));

struct alignas(16) Pack {
  REAL element[width];
};

extern "C" __global__ void align_rows(const REAL* __restrict__ B, Pack* __restrict__ aligned, int n, int k) {
  const size_t packs_of_row = (size_t(n) + width - 1) / width;
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs_of_row * k; i += step) {
    const size_t row = i / packs_of_row;
    const int column = int(i % packs_of_row) * width;
    const REAL* from = B + row * n + column;
    Pack pack;
#pragma unroll
    for (int j = 0; j < width; ++j) pack.element[j] = column + j < n ? from[j] : REAL(0);
    aligned[i] = pack;
  }
}

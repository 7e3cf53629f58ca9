// Step 1: registers. A thread computes 4×4 elements of C, not one.
//
// `tiled` reads two floats from shared memory for each multiply-add, and shared memory is what limits it. Here a thread
// reads 4 + 4 floats and makes 16 multiply-adds of them: half a float each. A block of 256 threads computes 64×64
// elements of C; n and m are multiples of 64, k of 16.
constexpr int TILE = 64, SLAB = 16, EACH = 4, APART = TILE / EACH;

extern "C" __global__ void __launch_bounds__(256)
    registers(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float a[TILE][SLAB + 1];  // one column more: rows begin in different banks
  __shared__ float b[SLAB][TILE];
  const int thread = threadIdx.x, x = thread % APART, y = thread / APART;
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;

  float sum[EACH][EACH] = {};
  for (int first = 0; first < k; first += SLAB) {
    for (int i = thread; i < TILE * SLAB; i += 256) {
      a[i / SLAB][i % SLAB] = A[size_t(row + i / SLAB) * k + first + i % SLAB];
      b[i / TILE][i % TILE] = B[size_t(first + i / TILE) * n + column + i % TILE];
    }
    __syncthreads();
    for (int p = 0; p < SLAB; ++p) {
      float left[EACH], right[EACH];
      for (int i = 0; i < EACH; ++i) left[i] = a[y + i * APART][p];
      for (int j = 0; j < EACH; ++j) right[j] = b[p][x + j * APART];
      for (int i = 0; i < EACH; ++i) {
        for (int j = 0; j < EACH; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }

  for (int i = 0; i < EACH; ++i) {
    for (int j = 0; j < EACH; ++j) C[size_t(row + y + i * APART) * n + column + x + j * APART] = sum[i][j];
  }
}

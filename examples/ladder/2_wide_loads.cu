// Step 2: wide loads. Every load and store moves a float4, and a thread computes 8×8 elements of C.
//
// One instruction moves four floats, so a quarter of the load instructions is left. The tile of A is stored transposed:
// then a thread's eight elements of a column of A are two float4 as well. A block of 256 threads computes 128×128
// elements of C; n and m are multiples of 128, k of 8.
constexpr int TILE = 128, SLAB = 8, HALF = TILE / 2;

__device__ float4 four(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void put(float* to, float4 value) { *reinterpret_cast<float4*>(to) = value; }

extern "C" __global__ void __launch_bounds__(256)
    wide_loads(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ __align__(16) float a[SLAB][TILE + 4];
  __shared__ __align__(16) float b[SLAB][TILE];
  const int thread = threadIdx.x, x = thread % 16 * 4, y = thread / 16 * 4;
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  const int a_row = thread / 2, a_column = thread % 2 * 4;    // of the float4 that this thread copies
  const int b_row = thread / 32, b_column = thread % 32 * 4;

  float sum[8][8] = {};
  for (int first = 0; first < k; first += SLAB) {
    const float4 of_a = four(A + size_t(row + a_row) * k + first + a_column);
    a[a_column][a_row] = of_a.x, a[a_column + 1][a_row] = of_a.y;
    a[a_column + 2][a_row] = of_a.z, a[a_column + 3][a_row] = of_a.w;
    put(&b[b_row][b_column], four(B + size_t(first + b_row) * n + column + b_column));
    __syncthreads();
    for (int p = 0; p < SLAB; ++p) {
      float left[8], right[8];
      put(left, four(&a[p][y])), put(left + 4, four(&a[p][y + HALF]));
      put(right, four(&b[p][x])), put(right + 4, four(&b[p][x + HALF]));
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }

  for (int i = 0; i < 8; ++i) {
    float* c = C + size_t(row + y + i % 4 + i / 4 * HALF) * n + column + x;
    put(c, four(&sum[i][0])), put(c + HALF, four(&sum[i][4]));
  }
}

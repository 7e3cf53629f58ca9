// Step 3: double buffering. The next slab is loaded while this one is multiplied.
//
// Until now all threads of a block wait for global memory, then for each other, then multiply. Here a thread asks for
// the next slab first, multiplies the present one, and only then puts what has arrived into the other buffer: the wait
// is hidden behind the multiplication, and one barrier per slab is enough. All else is as in step 2.
constexpr int TILE = 128, SLAB = 8, HALF = TILE / 2;

__device__ float4 four(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void put(float* to, float4 value) { *reinterpret_cast<float4*>(to) = value; }

extern "C" __global__ void __launch_bounds__(256)
    double_buffered(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ __align__(16) float a[2][SLAB][TILE + 4];
  __shared__ __align__(16) float b[2][SLAB][TILE];
  const int thread = threadIdx.x, x = thread % 16 * 4, y = thread / 16 * 4;
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  const int a_row = thread / 2, a_column = thread % 2 * 4;
  const int b_row = thread / 32, b_column = thread % 32 * 4;

  float4 of_a, of_b;
  const auto fetch = [&](int first) {
    of_a = four(A + size_t(row + a_row) * k + first + a_column);
    of_b = four(B + size_t(first + b_row) * n + column + b_column);
  };
  const auto keep = [&](int buffer) {
    a[buffer][a_column][a_row] = of_a.x, a[buffer][a_column + 1][a_row] = of_a.y;
    a[buffer][a_column + 2][a_row] = of_a.z, a[buffer][a_column + 3][a_row] = of_a.w;
    put(&b[buffer][b_row][b_column], of_b);
  };

  float sum[8][8] = {};
  fetch(0);
  keep(0);
  for (int first = 0; first < k; first += SLAB) {
    __syncthreads();  // this slab is complete, and nobody reads the one before it any more
    const int buffer = first / SLAB % 2;
    const bool more = first + SLAB < k;
    if (more) fetch(first + SLAB);
    for (int p = 0; p < SLAB; ++p) {
      float left[8], right[8];
      put(left, four(&a[buffer][p][y])), put(left + 4, four(&a[buffer][p][y + HALF]));
      put(right, four(&b[buffer][p][x])), put(right + 4, four(&b[buffer][p][x + HALF]));
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    if (more) keep(1 - buffer);
  }

  for (int i = 0; i < 8; ++i) {
    float* c = C + size_t(row + y + i % 4 + i / 4 * HALF) * n + column + x;
    put(c, four(&sum[i][0])), put(c + HALF, four(&sum[i][4]));
  }
}

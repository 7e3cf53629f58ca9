// Step 4: asynchronous copies. `cp.async` moves 16 bytes from global to shared memory without a register in between.
//
// Four slabs are under way or in use at a time: a wait of several hundred cycles is hidden even where one slab is
// multiplied in less. The copy cannot transpose, so A keeps its rows, and a thread reads four columns of them at once.
// Needs compute capability 8.0; n and m are multiples of 128, k of 8.
constexpr int TILE = 128, SLAB = 8, HALF = TILE / 2, STAGES = 4;

__device__ float4 four(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void put(float* to, float4 value) { *reinterpret_cast<float4*>(to) = value; }
__device__ void copy(float* to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))), "l"(from));
}

extern "C" __global__ void __launch_bounds__(256)
    async_copies(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ __align__(16) float a[STAGES][TILE][SLAB + 4];
  __shared__ __align__(16) float b[STAGES][SLAB][TILE];
  const int thread = threadIdx.x, x = thread % 16 * 4, y = thread / 16;
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  const int a_row = thread / 2, a_column = thread % 2 * 4;
  const int b_row = thread / 32, b_column = thread % 32 * 4;

  const auto fetch = [&](int slab) {
    if (slab * SLAB < k) {
      copy(&a[slab % STAGES][a_row][a_column], A + size_t(row + a_row) * k + slab * SLAB + a_column);
      copy(&b[slab % STAGES][b_row][b_column], B + size_t(slab * SLAB + b_row) * n + column + b_column);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");  // an empty group at the end: groups and slabs stay in step
  };

  float sum[8][8] = {};
  for (int slab = 0; slab < STAGES - 1; ++slab) fetch(slab);
  for (int slab = 0; slab * SLAB < k; ++slab) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");  // all but the latest two have arrived
    __syncthreads();
    fetch(slab + STAGES - 1);
    const auto& here_a = a[slab % STAGES];
    const auto& here_b = b[slab % STAGES];
    for (int p = 0; p < SLAB; p += 4) {
      float left[8][4];
      for (int i = 0; i < 8; ++i) put(left[i], four(&here_a[y + i * 16][p]));
      for (int q = 0; q < 4; ++q) {
        float right[8];
        put(right, four(&here_b[p + q][x])), put(right + 4, four(&here_b[p + q][x + HALF]));
        for (int i = 0; i < 8; ++i) {
          for (int j = 0; j < 8; ++j) sum[i][j] += left[i][q] * right[j];
        }
      }
    }
  }

  for (int i = 0; i < 8; ++i) {
    float* c = C + size_t(row + y + i * 16) * n + column + x;
    put(c, four(&sum[i][0])), put(c + HALF, four(&sum[i][4]));
  }
}

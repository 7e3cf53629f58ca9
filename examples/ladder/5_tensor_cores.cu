// Step 5: tensor cores. One instruction of a warp multiplies 16×8 by 8×8 numbers.
//
// The price is precision: operands are rounded to tf32, ten bits of fraction, and only sums are float. So the config
// declares `precision = "tf32"`; judged as f32 the result would be wrong. A block of eight warps computes 128×128
// elements of C, a warp 64×32 of them. Copies are those of step 4. Needs compute capability 8.0; n and m are multiples of
// 128, k of 16.
constexpr int TILE = 128, SLAB = 16;

__device__ void copy(float* to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))), "l"(from));
}
__device__ unsigned tf32(float value) {
  unsigned rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return rounded;
}
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void __launch_bounds__(256)
    tensor_cores(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ __align__(16) float a[2][TILE][SLAB + 4];  // padded such that the 32 lanes below read from 32 banks
  __shared__ __align__(16) float b[2][SLAB][TILE + 8];
  const int thread = threadIdx.x, lane = thread % 32, g = lane / 4, t = lane % 4;
  const int warp_row = thread / 128 * 64, warp_column = thread / 32 % 4 * 32;
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;

  const auto fetch = [&](int first) {
    for (int i = thread; first < k && i < TILE * SLAB / 4; i += 256) {
      const int a_row = i / 4, a_column = i % 4 * 4, b_row = i / 32, b_column = i % 32 * 4;
      copy(&a[first / SLAB % 2][a_row][a_column], A + size_t(row + a_row) * k + first + a_column);
      copy(&b[first / SLAB % 2][b_row][b_column], B + size_t(first + b_row) * n + column + b_column);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };

  float sum[4][4][4] = {};  // 4×4 products of 16×8, four elements a lane
  fetch(0);
  for (int first = 0; first < k; first += SLAB) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    fetch(first + SLAB);
    for (int p = 0; p < SLAB; p += 8) {
      unsigned left[4][4], right[4][2];
      for (int i = 0; i < 16; ++i) {  // lane (g, t) has rows g and g + 8, columns t and t + 4
        left[i / 4][i % 4] = tf32(a[first / SLAB % 2][warp_row + i / 4 * 16 + i % 2 * 8 + g][p + i % 4 / 2 * 4 + t]);
      }
      for (int j = 0; j < 8; ++j) {
        right[j / 2][j % 2] = tf32(b[first / SLAB % 2][p + j % 2 * 4 + t][warp_column + j / 2 * 8 + g]);
      }
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) multiply(sum[i][j], left[i], right[j]);
      }
    }
  }

  for (int i = 0; i < 16; ++i) {
    float* c = C + size_t(row + warp_row + i / 4 * 16 + g) * n + column + warp_column + i % 4 * 8 + t * 2;
    const float(&four)[4] = sum[i / 4][i % 4];
    c[0] = four[0], c[1] = four[1], c[size_t(8) * n] = four[2], c[size_t(8) * n + 1] = four[3];
  }
}

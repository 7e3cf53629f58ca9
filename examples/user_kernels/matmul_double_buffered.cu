// Matrix product C (m×n) = A (m×k) · B (k×n) of float, row-major: slabs of A and B come into shared memory by
// cp.async while the slabs before them are multiplied.
//
// A block computes TILE_M×TILE_N elements of C, a thread THREAD_M×THREAD_N of them in registers. Along k the block
// goes in slabs of TILE_K, of which STAGES lie in shared memory (2: one is multiplied, the next one is under way).
// Copies take VECTOR floats each; 4 of them need rows that begin on 16 bytes. What lies outside of A and B is filled
// in with zeros, so any m, n and k will do.
//
// A thread reads four columns of k at a time: its rows of A as one float4 a row (neighbouring threads read the
// same one) and its columns of B in groups of four that are TILE_N / (THREAD_N / 4) apart, so that neighbouring
// threads read neighbouring groups. Rows of A are padded by four floats: those that a warp reads at once begin in
// different banks.
//
// MIN_BLOCKS is how many blocks the compiler is to leave registers for on one multiprocessor.

constexpr int threads_x = TILE_N / THREAD_N;
constexpr int threads_y = TILE_M / THREAD_M;
constexpr int threads = threads_x * threads_y;
constexpr int groups = THREAD_N / 4;  // of four columns each
constexpr int a_pitch = TILE_K + 4;
constexpr int a_floats = TILE_M * a_pitch;
constexpr int stage_floats = a_floats + TILE_K * TILE_N;

static_assert(TILE_K % 4 == 0 && THREAD_N % 4 == 0, "rows are read four floats at a time");
static_assert(TILE_M % THREAD_M == 0 && TILE_N % THREAD_N == 0, "threads share a tile evenly");
static_assert(STAGES >= 2, "one slab is multiplied while another one comes");

/// VECTOR floats from global to shared memory, on their own time; zeros if they are not `there`.
__device__ inline void copy_async(float* to, const float* from, bool there) {
  const unsigned target = unsigned(__cvta_generic_to_shared(to));
#if VECTOR == 4
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(there ? 16 : 0) : "memory");
#else
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(from), "r"(there ? 4 : 0) : "memory");
#endif
}

__device__ inline void end_of_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until all copies have arrived but those of the latest `open` slabs.
template <int open>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(open) : "memory");
}

/// Brings rows×columns floats; of the matrix behind them, `rows_left` × `columns_left` exist.
template <int rows, int columns, int pitch>
__device__ inline void copy_tile(float* to, const float* from, size_t stride, int rows_left, int columns_left) {
  constexpr int in_row = columns / VECTOR;
  constexpr int pieces = rows * in_row;
#pragma unroll
  for (int first = 0; first < pieces; first += threads) {
    const int piece = first + int(threadIdx.x);
    if (pieces % threads == 0 || piece < pieces) {
      const int row = piece / in_row;
      const int column = piece % in_row * VECTOR;
      const bool there = row < rows_left && column < columns_left;
      copy_async(to + row * pitch + column, there ? from + row * stride + column : from, there);
    }
  }
}

struct Sums {
  float of[THREAD_M][groups][4];
};

__device__ inline void multiply_slab(Sums& sums, const float* a, const float* b) {
#pragma unroll
  for (int k = 0; k < TILE_K; k += 4) {
    float4 row[THREAD_M];
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
      row[i] = *reinterpret_cast<const float4*>(a + i * threads_y * a_pitch + k);
    }
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      float4 four[groups];
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        four[g] = *reinterpret_cast<const float4*>(b + (k + step) * TILE_N + g * threads_x * 4);
      }
#pragma unroll
      for (int i = 0; i < THREAD_M; ++i) {
        const float factor = step == 0 ? row[i].x : step == 1 ? row[i].y : step == 2 ? row[i].z : row[i].w;
#pragma unroll
        for (int g = 0; g < groups; ++g) {
          sums.of[i][g][0] += factor * four[g].x;
          sums.of[i][g][1] += factor * four[g].y;
          sums.of[i][g][2] += factor * four[g].z;
          sums.of[i][g][3] += factor * four[g].w;
        }
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads, MIN_BLOCKS)
    matmul_double_buffered(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int m, int n,
                           int k) {
  extern __shared__ __align__(16) float stages[];

  const int first_row = int(blockIdx.y) * TILE_M;
  const int first_column = int(blockIdx.x) * TILE_N;
  const int x = int(threadIdx.x) % threads_x;
  const int y = int(threadIdx.x) / threads_x;
  const float* a = A + size_t(first_row) * k;
  const float* b = B + first_column;
  const int slabs = (k + TILE_K - 1) / TILE_K;
  const auto fetch = [&](int slab) {
    if (slab < slabs) {
      float* stage = stages + slab % STAGES * stage_floats;
      const int begin = slab * TILE_K;
      copy_tile<TILE_M, TILE_K, a_pitch>(stage, a + begin, k, m - first_row, k - begin);
      copy_tile<TILE_K, TILE_N, TILE_N>(stage + a_floats, b + size_t(begin) * n, n, k - begin, n - first_column);
    }
    end_of_copies();  // an empty group where there is no slab: groups and slabs are counted alike
  };

  Sums sums = {};
#pragma unroll
  for (int slab = 0; slab < STAGES - 1; ++slab) fetch(slab);
  for (int slab = 0; slab < slabs; ++slab) {
    wait_for_copies<STAGES - 2>();
    __syncthreads();  // this slab is there for all, and nobody reads the one before it any more
    fetch(slab + STAGES - 1);
    const float* stage = stages + slab % STAGES * stage_floats;
    multiply_slab(sums, stage + y * a_pitch, stage + a_floats + x * 4);
  }

#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    const int row = first_row + y + i * threads_y;
    if (row >= m) continue;
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const int column = first_column + (g * threads_x + x) * 4;
      float* c = C + size_t(row) * n + column;
      const float* sum = sums.of[i][g];
      if (n % 4 == 0 && column < n) {
        *reinterpret_cast<float4*>(c) = make_float4(sum[0], sum[1], sum[2], sum[3]);
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          if (column + j < n) c[j] = sum[j];
        }
      }
    }
  }
}

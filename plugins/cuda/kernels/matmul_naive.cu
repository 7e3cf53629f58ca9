// Matrix multiplication, the plain way: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   What the caches alone can do. Every operand of every product is loaded from global memory.
// Access pattern  One thread per element of C. Threads that are neighbours in x own neighbouring columns: their
//                 loads of B coalesce, and they all read the same element of A, one broadcast per warp.
// Arithmetic      2·m·n·k flops. Two loads per fused multiply-add: 2·m·n·k elements requested, where
//                 m·k + k·n would do if each were loaded once.
// Expected limit  The load/store units: two load instructions feed one multiply-add, so a small part of the
//                 arithmetic peak, however good the caches are.
//
// REAL is the element type: float or double.
extern "C" __global__ void matmul_naive(const REAL* __restrict__ A, const REAL* __restrict__ B,
                                        REAL* __restrict__ C, int m, int n, int k) {
  const size_t column = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const size_t row = size_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  REAL sum = 0;
  for (size_t i = 0; i < k; ++i) {
    sum += A[row * k + i] * B[i * n + column];
  }
  C[row * n + column] = sum;
}

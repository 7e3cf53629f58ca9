// Exercise 5: C (m×n) = A (m×k) · B (k×n), row-major, in tiles of 16×16.
//
// Task: this kernel multiplies the first tile along k only. Go through all of them.
// Mind     - m, n and k need not be multiples of 16: what lies outside counts as 0, and is neither read nor written.
//          - Two barriers a tile: before it is read, and before it is overwritten.
__kernel void product(__global const float* A, __global const float* B, __global float* C, const int m, const int n,
                      const int k) {
  __local float a[16][16], b[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  float sum = 0.0f;

  a[y][x] = row < m && x < k ? A[(size_t)row * k + x] : 0.0f;
  b[y][x] = y < k && column < n ? B[(size_t)y * n + column] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int p = 0; p < 16; ++p) sum += a[y][p] * b[p][x];

  if (row < m && column < n) C[(size_t)row * n + column] = sum;
}

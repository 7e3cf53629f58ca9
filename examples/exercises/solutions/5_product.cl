// Exercise 5, solved.
__kernel void product(__global const float* A, __global const float* B, __global float* C, const int m, const int n,
                      const int k) {
  __local float a[16][16], b[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  float sum = 0.0f;
  for (int first = 0; first < k; first += 16) {
    a[y][x] = row < m && first + x < k ? A[(size_t)row * k + first + x] : 0.0f;
    b[y][x] = first + y < k && column < n ? B[(size_t)(first + y) * n + column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 0; p < 16; ++p) sum += a[y][p] * b[p][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && column < n) C[(size_t)row * n + column] = sum;
}

// C = A · B by tiles of `rows` × `columns` elements, one for each work-item, in slabs of `depth` along k: what lies in
// which cache. The sizes are arguments, so that one program serves the whole space.
__kernel void product(__global const float* restrict A, __global const float* restrict B, __global float* restrict C,
                      int m, int n, int k, int rows, int columns, int depth) {
  const int first_row = get_global_id(1) * rows, end_row = min(first_row + rows, m);
  const int first_column = get_global_id(0) * columns, end_column = min(first_column + columns, n);
  for (int row = first_row; row < end_row; ++row) {
    for (int column = first_column; column < end_column; ++column) C[row * n + column] = 0;
  }
  for (int slab = 0; slab < k; slab += depth) {
    for (int row = first_row; row < end_row; ++row) {
      for (int i = slab; i < min(slab + depth, k); ++i) {
        const float a = A[row * k + i];
        for (int column = first_column; column < end_column; ++column) C[row * n + column] += a * B[i * n + column];
      }
    }
  }
}

// Exercise 4, solved: 17 columns, so that the 16 elements of a column lie in different banks.
__kernel void transposed(__global const float* in, __global float* out, const int rows, const int columns) {
  __local float tile[16][17];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  if (row < rows && column < columns) tile[y][x] = in[(size_t)row * columns + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int out_row = get_group_id(0) * 16 + y, out_column = get_group_id(1) * 16 + x;
  if (out_row < columns && out_column < rows) out[(size_t)out_row * rows + out_column] = tile[x][y];
}

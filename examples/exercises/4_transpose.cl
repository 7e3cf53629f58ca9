// Exercise 4: out = the transpose of in (rows × columns, row-major), in tiles of 16×16.
//
// Task: load a tile row by row, wait, store it row by row of `out`: both sides touch neighbouring elements.
// Mind     - The work-group's tile has its place in `out` at (columns, rows), not at (rows, columns).
//          - Edges: neither side may touch what lies outside.
//          - A column of a 16×16 tile lies in few banks. Which size of `tile` spreads it over all of them?
__kernel void transposed(__global const float* in, __global float* out, const int rows, const int columns) {
  __local float tile[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  if (row < rows && column < columns) tile[y][x] = in[(size_t)row * columns + column];

  // Your lines.
}

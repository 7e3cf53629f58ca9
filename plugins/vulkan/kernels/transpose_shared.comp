// Transpose through shared memory: out = inᵀ, in rows × columns, row-major.
//
// What it shows   A tile in shared memory takes the stride: both global sides are coalesced. And what a padding column is
//                 for.
// Access pattern  A workgroup reads a tile of TILE × TILE elements row by row into shared memory and writes it to out row
//                 by row, reading shared memory down its columns. Without padding (PADDING 0) the elements of a column lie
//                 TILE elements apart, with TILE = 32 and float all in one of 32 banks. One more column (PADDING 1) puts
//                 each row one bank further: no conflict.
// Expected limit  Memory bandwidth with padding; without, shared memory.
//
// REAL is the element type; TILE is a multiple of BLOCK_ROWS.
#include "kernel.glsl"

IN(0, REAL, source);
OUT(1, REAL, target);
layout(push_constant) uniform Scalars { int rows; int columns; };

shared REAL tile[TILE][TILE + PADDING];

void transpose_shared() {
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_LocalInvocationID.y;
  const uint first_column = gl_WorkGroupID.x * TILE;
  const uint first_row = gl_WorkGroupID.y * TILE;

  const uint column = first_column + x;
  for (uint j = 0; j < TILE; j += BLOCK_ROWS) {
    const uint row = first_row + y + j;
    if (row < rows && column < columns) tile[y + j][x] = source[row * columns + column];
  }
  barrier();

  // The same tile, its rows now along x: neighbours write a run of out.
  const uint out_column = first_row + x;
  for (uint j = 0; j < TILE; j += BLOCK_ROWS) {
    const uint out_row = first_column + y + j;
    if (out_row < columns && out_column < rows) target[out_row * rows + out_column] = tile[x][y + j];
  }
}

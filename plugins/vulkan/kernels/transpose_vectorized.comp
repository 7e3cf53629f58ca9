// Transpose through shared memory with 16-byte accesses on both global sides: out = inᵀ, in rows × columns, row-major.
//
// What it shows   The padded tile with more bytes under way: a quarter of the load and store instructions for float.
// Access pattern  A workgroup moves a tile of TILE × TILE elements. An invocation reads packs of WIDTH neighbouring
//                 elements of a row and puts them into shared memory one by one; it collects packs for out down the
//                 tile's columns. With the padding column 32 neighbours meet in pairs at most in a bank.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; WIDTH · sizeof(REAL) is 16 bytes. TILE is a multiple of WIDTH and of BLOCK_ROWS, rows and
// columns are multiples of WIDTH, so that each row starts at a pack.
#extension GL_EXT_control_flow_attributes : require
#include "kernel.glsl"
#include "packs.glsl"

IN(0, PACK_PART, source);
OUT(1, PACK_PART, target);
layout(push_constant) uniform Scalars { int rows; int columns; };

shared REAL tile[TILE][TILE + 1];

void transpose_vectorized() {
  const uint first_column = gl_WorkGroupID.x * TILE;
  const uint first_row = gl_WorkGroupID.y * TILE;
  const uint x = gl_LocalInvocationID.x * WIDTH;

  for (uint y = gl_LocalInvocationID.y; y < TILE; y += BLOCK_ROWS) {
    if (first_row + y < rows && first_column + x < columns) {
      const PACK_PART pack = source[((first_row + y) * columns + first_column + x) / WIDTH];
      [[unroll]] for (int j = 0; j < WIDTH; ++j) tile[y][x + j] = pack[j];
    }
  }
  barrier();

  for (uint y = gl_LocalInvocationID.y; y < TILE; y += BLOCK_ROWS) {
    if (first_column + y < columns && first_row + x < rows) {
      PACK_PART pack;
      [[unroll]] for (int j = 0; j < WIDTH; ++j) pack[j] = tile[x + j][y];
      target[((first_column + y) * rows + first_row + x) / WIDTH] = pack;
    }
  }
}

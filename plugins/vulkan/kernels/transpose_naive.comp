// Transpose, straight: out = inᵀ, in rows × columns, row-major.
//
// What it shows   What a stride costs: one side of a transpose is coalesced, the other is not.
// Access pattern  A workgroup takes a tile of TILE × TILE elements, each invocation every BLOCK_ROWS-th of a column of the
//                 tile. Neighbours read neighbouring elements of a row, and write elements that lie a whole row of out
//                 apart.
// Expected limit  The write side: whole sectors or lines are moved for single elements, as far as the caches do not join
//                 what different invocations write into one of them.
//
// REAL is the element type; TILE is a multiple of BLOCK_ROWS.
#extension GL_EXT_control_flow_attributes : require
#include "kernel.glsl"

IN(0, REAL, source);
OUT(1, REAL, target);
layout(push_constant) uniform Scalars { int rows; int columns; };

void transpose_naive() {
  const uint column = gl_GlobalInvocationID.x;
  const uint first_row = gl_WorkGroupID.y * TILE + gl_LocalInvocationID.y;
  [[unroll]] for (uint j = 0; j < TILE; j += BLOCK_ROWS) {
    const uint row = first_row + j;
    if (row < rows && column < columns) target[column * rows + row] = source[row * columns + column];
  }
}

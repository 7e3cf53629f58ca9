// Vector addition through shared memory: c = a + b.
//
// What it shows   That tiling does not help where no value is used twice.
// Access pattern  As in the plain kernel; in shared memory invocation t uses element t.
// Expected limit  Memory bandwidth on a GPU.
//
// REAL is the element type; BLOCK the number of invocations of a workgroup.
#include "kernel.glsl"

IN(0, REAL, a);
IN(1, REAL, b);
OUT(2, REAL, c);
layout(push_constant) uniform Scalars { int n; };

shared REAL tile_of_a[BLOCK];
shared REAL tile_of_b[BLOCK];

void vector_add_tiled() {
  const uint i = gl_GlobalInvocationID.x;
  const uint t = gl_LocalInvocationID.x;
  if (i < n) {
    tile_of_a[t] = a[i];
    tile_of_b[t] = b[i];
  }
  barrier();
  if (i < n) c[i] = tile_of_a[t] + tile_of_b[t];
}

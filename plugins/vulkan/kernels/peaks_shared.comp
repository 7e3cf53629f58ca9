// Reads shared memory: every invocation adds up `rounds` pieces of 16 bytes of a tile of 1024 pieces.
//
// What it shows   The bandwidth of shared memory, to be compared with that of the caches and of memory.
// Access pattern  Neighbouring invocations read neighbouring pieces, whichever the round: no bank conflicts. From round to
//                 round an invocation moves on by 33 pieces.
// Expected limit  The banks of shared memory.
//
// BLOCK is the number of invocations of a workgroup. Its tile of 16 KiB is loaded once and read `rounds` times.
#include "kernel.glsl"

IN(0, uvec4, source);
OUT(1, uint, target);
layout(push_constant) uniform Scalars { int n; int rounds; };

shared uvec4 tile[1024];

void peaks_shared() {
  for (uint p = gl_LocalInvocationID.x; p < 1024; p += BLOCK) tile[p] = source[p];
  barrier();

  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  uint place = i % 1024;
  uint sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const uvec4 piece = tile[place];
    sum += piece.x + piece.y + piece.z + piece.w;
    place = (place + 33) % 1024;
  }
  target[i] = sum;
}

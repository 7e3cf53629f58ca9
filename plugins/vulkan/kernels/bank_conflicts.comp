// Blocks of 16 × 16 numbers doubled in shared memory: out = 2·in.
//
// What it shows   What the order of two indices costs. A workgroup loads its 256 numbers into shared memory, doubles them
//                 there, and stores them; each invocation has a slot of its own, so that any order gives the same result.
// Access pattern  ORDER 0  column_major: slot x + 16·y for shared and global memory. Neighbours use neighbouring words: no
//                          conflict, coalesced.
//                 ORDER 1  row_major_as_published: slot y + 16·x for both. The 16 invocations of a row use words 16
//                          apart: 32 of them meet in 4 of 32 banks, an 8-way conflict. And global accesses are 64 bytes
//                          apart.
//                 ORDER 2  row_major_shared_only: slot y + 16·x for shared memory alone; global memory is coalesced.
// Expected limit  Launching, for a few hundred groups. Memory bandwidth for many, with ORDER 1 and 2 the four accesses
//                 to shared memory.
//
// The barriers keep the three steps apart: without them a compiler may keep the number in a register.
#include "kernel.glsl"

IN(0, float, source);
OUT(1, float, target);

shared float block[256];

void bank_conflicts() {
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_LocalInvocationID.y;
  const uint along_x = x + 16 * y;
  const uint along_y = y + 16 * x;
  const uint slot = ORDER == 0 ? along_x : along_y;
  const uint element = gl_WorkGroupID.x * 256 + (ORDER == 1 ? along_y : along_x);

  block[slot] = source[element];
  barrier();
  block[slot] = 2.0 * block[slot];
  barrier();
  target[element] = block[slot];
}

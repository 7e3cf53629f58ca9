// Reads a buffer: workgroup g adds up the words of segment g mod (count of segments), 64 KiB each.
//
// What it shows   How fast data can be read, out of memory or, where there are more groups than segments, again and again
//                 out of a cache. A sum over every word is the least that proves it. With PERIOD = 2 every other piece of
//                 64 bytes, the first among them, is read and the others are not.
// Access pattern  UNROLL packs of WIDTH words per invocation in flight, a workgroup's width apart.
// Expected limit  Bandwidth of the memory or cache that holds the buffer. A GPU wants groups of hundreds and 16 bytes per
//                 load.
//
// BLOCK is the number of invocations of a workgroup, a power of two; PERIOD is 1 or 2, WIDTH at most 16; n counts words of
// 4 bytes.
#extension GL_EXT_control_flow_attributes : require
#define PACKS_OF_WORDS 1
#include "kernel.glsl"
#include "packs.glsl"

IN(0, uint, source);
IN(0, Pack, source_packs);
OUT(1, uint, target);
layout(push_constant) uniform Scalars { int n; };

#define SEGMENT_WORDS 16384
#define OF_PIECE (16 / WIDTH)       // packs
#define GROUP_WORDS (16 * PERIOD)  // of which 16 are read

// Pack number v of those that are read.
#define WHERE(v) ((v) / OF_PIECE * (OF_PIECE * PERIOD) + (v) % OF_PIECE)

shared uint sum_of_item[BLOCK];

void peaks_read() {
  const uint segments = (uint(n) + SEGMENT_WORDS - 1) / SEGMENT_WORDS;
  const uint first = gl_WorkGroupID.x % segments * SEGMENT_WORDS;
  const uint words = min(SEGMENT_WORDS, uint(n) - first);
  const uint groups = words / GROUP_WORDS;
  const uint count = groups * OF_PIECE;

  const uint t = gl_LocalInvocationID.x;
  PACK_PART sums[UNROLL];
  [[unroll]] for (uint u = 0; u < UNROLL; ++u) sums[u] = PACK_PART(0);
  uint place = t;
  for (; place + (UNROLL - 1) * BLOCK < count; place += UNROLL * BLOCK) {
    [[unroll]] for (uint u = 0; u < UNROLL; ++u) {
      [[unroll]] for (uint p = 0; p < PACK_PARTS; ++p) {
        sums[u] += source_packs[first / WIDTH + WHERE(place + u * BLOCK)].part[p];
      }
    }
  }
  for (; place < count; place += BLOCK) {
    [[unroll]] for (uint p = 0; p < PACK_PARTS; ++p) sums[0] += source_packs[first / WIDTH + WHERE(place)].part[p];
  }

  uint sum = 0;
  [[unroll]] for (uint u = 1; u < UNROLL; ++u) sums[0] += sums[u];
#if PACK_LANES == 1
  sum = sums[0];
#else
  for (int i = 0; i < PACK_LANES; ++i) sum += sums[0][i];
#endif
  // What is left after the last whole group.
  const uint rest = groups * GROUP_WORDS;
  for (uint i = rest + t; i < min(words, rest + 16); i += BLOCK) sum += source[first + i];

  sum_of_item[t] = sum;
  for (uint half_of = BLOCK / 2; half_of > 0; half_of /= 2) {
    barrier();
    if (t < half_of) sum_of_item[t] += sum_of_item[t + half_of];
  }
  if (t == 0) target[gl_WorkGroupID.x] = sum_of_item[0];
}

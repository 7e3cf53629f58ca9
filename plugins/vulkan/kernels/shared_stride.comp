// Rows of a table read over and over from shared memory; the stride between the lanes decides the banks.
//
// What it shows   The law of bank conflicts: an access that meets n different words in one bank takes n times as long.
//                 Nothing else is in the way: each round has 32 bytes to read and a few additions.
// Access pattern  The table has 32 rows of eight 32-bit words, or as many of 64 or 128 bits. Element k of row r lies at
//                 word (32·k + r) · (STRIDE + PADDING): in every access 32 neighbouring invocations read words that are
//                 STRIDE + PADDING apart, one row each. In the next round each reads the row after its own: the same
//                 words in another order, so that no load can be kept from the round before.
// Expected limit  Shared memory. With 32 banks of four bytes a conflict is gcd(pitch, 32)-way for 4-byte words, and costs
//                 gcd(pitch, 16) or gcd(pitch, 8) times as much for words of 8 and 16 bytes, which are served for half
//                 and quarter warps.
//
// WORD is 4, 8 or 16 bytes; BLOCK the number of invocations of a workgroup.
#include "kernel.glsl"

#if WORD == 4
#define WORD_TYPE uint
#define SUM_OF(word) (word)
#elif WORD == 8
#define WORD_TYPE uvec2
#define SUM_OF(word) ((word).x + (word).y)
#else
#define WORD_TYPE uvec4
#define SUM_OF(word) ((word).x + (word).y + (word).z + (word).w)
#endif

#define LANES 32
#define ROW_WORDS (32 / WORD)
#define PITCH (STRIDE + PADDING)

IN(0, WORD_TYPE, table);
OUT(1, uint, target);
layout(push_constant) uniform Scalars { int n; int rounds; };

shared WORD_TYPE rows[LANES * ROW_WORDS * PITCH];

void shared_stride() {
  for (uint i = gl_LocalInvocationID.x; i < LANES * ROW_WORDS; i += BLOCK) {
    rows[(LANES * (i % ROW_WORDS) + i / ROW_WORDS) * PITCH] = table[i];
  }
  barrier();

  const uint i = gl_GlobalInvocationID.x;
  uint row = i % LANES;
  uint sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (uint k = 0; k < ROW_WORDS; ++k) {
      const WORD_TYPE word = rows[(LANES * k + row) * PITCH];
      sum += SUM_OF(word);
    }
    row = (row + 1) % LANES;
  }
  if (i < n) target[i] = sum;
}

// Rows of a table read over and over from local memory; the stride between the lanes decides the banks.
//
// What it shows   The law of bank conflicts: an access that meets n different words in one bank takes n times as long.
//                 Nothing else is in the way: each round has 32 bytes to read and a few additions.
// Access pattern  The table has 32 rows of eight 32-bit words, or as many of 64 or 128 bits. Element k of row r lies at
//                 word (32·k + r) · (STRIDE + PADDING): in every access 32 neighbouring work-items read words that are
//                 STRIDE + PADDING apart, one row each. In the next round each reads the row after its own: the same
//                 words in another order, so that no load can be kept from the round before.
// Expected limit  Local memory. With 32 banks of four bytes a conflict is gcd(pitch, 32)-way for 4-byte words, and costs
//                 gcd(pitch, 16) or gcd(pitch, 8) times as much for words of 8 and 16 bytes, which are served for half
//                 and quarter warps. A CPU has no banks: every stride that stays in its first cache takes one time.
//
// WORD is 4, 8 or 16 bytes; BLOCK the number of work-items of a work-group.
#if WORD == 4
typedef uint Word;
#define SUM_OF(word) (word)
#elif WORD == 8
typedef uint2 Word;
#define SUM_OF(word) ((word).s0 + (word).s1)
#else
typedef uint4 Word;
#define SUM_OF(word) ((word).s0 + (word).s1 + (word).s2 + (word).s3)
#endif

#define LANES 32
#define ROW_WORDS (32 / WORD)
#define PITCH (STRIDE + PADDING)

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void shared_stride(__global const uint* restrict table, __global uint* restrict out, const int n, const int rounds) {
  __local Word rows[LANES * ROW_WORDS * PITCH];
  __global const Word* words = (__global const Word*)table;
  for (uint i = get_local_id(0); i < LANES * ROW_WORDS; i += BLOCK) {
    const uint row = i / ROW_WORDS;
    const uint k = i % ROW_WORDS;
    rows[(LANES * k + row) * PITCH] = words[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const size_t i = get_global_id(0);
  uint row = i % LANES;
  uint sum = 0;
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) {
    __local const Word* mine = rows + row * PITCH;
#pragma unroll
    for (uint k = 0; k < ROW_WORDS; ++k) {
      const Word word = mine[LANES * k * PITCH];
      sum += SUM_OF(word);
    }
    row = (row + 1) % LANES;
  }
  if (i < n) out[i] = sum;
}

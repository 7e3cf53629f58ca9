// Rows of a table read over and over from shared memory; the stride between the lanes decides the banks.
//
// What it shows   The law of bank conflicts: an access that meets n different words in one bank takes n times as long.
//                 Nothing else is in the way: each round has 32 bytes to read and a few additions.
// Access pattern  The table has 32 rows of eight 32-bit words, or as many of 64 or 128 bits. Element k of row r lies at
//                 word (32·k + r) · (STRIDE + PADDING): in every access the lanes of a warp read words that are
//                 STRIDE + PADDING apart, one row each. In the next round each lane reads the row after its own: the
//                 same words in another order, so that no load can be kept from the round before.
// Expected limit  Shared memory. With 32 banks of four bytes a conflict is gcd(pitch, 32)-way for 4-byte words. Words
//                 of 8 and 16 bytes are served for half and quarter warps, which fill all banks already: the access
//                 takes two and four steps without a conflict, and gcd(pitch, 16) or gcd(pitch, 8) times that with
//                 one. The same bytes take the same time whatever the size of a word.
//
// WORD is 4, 8 or 16 bytes.
#if WORD == 4
typedef unsigned int Word;
#elif WORD == 8
typedef uint2 Word;
#else
typedef uint4 Word;
#endif

__device__ unsigned int sum_of(unsigned int word) { return word; }
__device__ unsigned int sum_of(uint2 word) { return word.x + word.y; }
__device__ unsigned int sum_of(uint4 word) { return word.x + word.y + word.z + word.w; }

#define LANES 32
#define ROW_WORDS (32 / WORD)
#define PITCH (STRIDE + PADDING)

extern "C" __global__ void shared_stride(const unsigned int* __restrict__ table, unsigned int* __restrict__ out, int n,
                                         int rounds) {
  __shared__ Word rows[LANES * ROW_WORDS * PITCH];
  const Word* words = reinterpret_cast<const Word*>(table);
  for (int i = threadIdx.x; i < LANES * ROW_WORDS; i += blockDim.x) {
    const int row = i / ROW_WORDS;
    const int k = i % ROW_WORDS;
    rows[(LANES * k + row) * PITCH] = words[i];
  }
  __syncthreads();

  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned int row = i % LANES;
  unsigned int sum = 0;
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) {
    const Word* mine = rows + row * PITCH;
#pragma unroll
    for (int k = 0; k < ROW_WORDS; ++k) sum += sum_of(mine[LANES * k * PITCH]);
    row = (row + 1) % LANES;
  }
  if (i < n) out[i] = sum;
}

// Reads shared memory: every thread adds up `rounds` pieces of 16 bytes of a tile of 1024 pieces.
//
// What it shows   The bandwidth of shared memory, to be compared with that of the caches and of memory.
// Access pattern  Neighbouring threads read neighbouring pieces, whichever the round: eight threads cover all 32
//                 banks once, so there are no conflicts. From round to round a thread moves on by 33 pieces.
// Expected limit  The banks: 128 bytes per multiprocessor and clock.
//
// BLOCK is the number of threads of a block. Its tile of 16 KiB is loaded once and read `rounds` times.
extern "C" __global__ void __launch_bounds__(BLOCK)
    peaks_shared(const uint4* __restrict__ in, unsigned* __restrict__ out, int n, int rounds) {
  __shared__ uint4 tile[1024];
  for (unsigned p = threadIdx.x; p < 1024; p += BLOCK) tile[p] = in[p];
  __syncthreads();

  const size_t i = size_t{blockIdx.x} * BLOCK + threadIdx.x;
  if (i >= n) return;
  unsigned place = i % 1024;
  unsigned sum = 0;
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) {
    const uint4 piece = tile[place];
    sum += piece.x + piece.y + piece.z + piece.w;
    place = (place + 33) % 1024;
  }
  out[i] = sum;
}

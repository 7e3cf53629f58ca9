// Sums over a small table in global memory: what constant memory is compared with.
//
// What it shows   Loads through the L1 cache do not care whether the threads of a warp read one address or 32 of a run:
//                 both are one request.
// Access pattern  Each thread goes through all 256 entries, over and over. LANE_SHIFT 0: all threads of a warp are at the
//                 same entry. LANE_SHIFT 1: each is one entry further than its neighbour.
// Expected limit  The load units: one request per step, the table stays in L1.
#define ENTRIES 256

extern "C" __global__ void constant_broadcast_global(const unsigned int* __restrict__ table,
                                                     const unsigned int* __restrict__ key,
                                                     unsigned int* __restrict__ out, int n, int rounds) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned int mine = key[i];
  const unsigned int first = i / 32 + LANE_SHIFT * (i % 32);
  unsigned int sum = 0;
#pragma unroll 8
  for (int step = 0; step < rounds * ENTRIES; ++step) {
    sum += table[(first + step) % ENTRIES] ^ mine;
  }
  out[i] = sum;
}

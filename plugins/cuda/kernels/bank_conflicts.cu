// Blocks of 16 × 16 numbers doubled in shared memory: out = 2·in.
//
// What it shows   What the order of two indices costs. A block loads its 256 numbers into shared memory, doubles them
//                 there, and stores them; each thread has a slot of its own, so that any order gives the same result.
// Access pattern  ORDER 0  column_major: slot x + 16·y for shared and global memory. Neighbouring threads use
//                          neighbouring words: no conflict, coalesced.
//                 ORDER 1  row_major_as_published: slot y + 16·x for both. The 16 threads of a row use words 16 apart:
//                          a warp, two rows, meets in 4 of 32 banks, 8 different words in each: an 8-way conflict
//                          (16-way on the 16 banks of the half-warps of 2008). And its global accesses are 64 bytes
//                          apart.
//                 ORDER 2  row_major_shared_only: slot y + 16·x for shared memory alone; global memory is coalesced.
// Expected limit  Launching, for a few hundred blocks. Memory bandwidth for many, with ORDER 1 and 2 the four accesses
//                 to shared memory.
//
// The barriers keep the three steps apart: without them a compiler may keep the number in a register, and there would
// be no shared memory to measure.
extern "C" __global__ void bank_conflicts(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float block[256];
  const int along_x = threadIdx.x + 16 * threadIdx.y;
  const int along_y = threadIdx.y + 16 * threadIdx.x;
  const int slot = ORDER == 0 ? along_x : along_y;
  const size_t element = size_t{blockIdx.x} * 256 + (ORDER == 1 ? along_y : along_x);

  block[slot] = in[element];
  __syncthreads();
  block[slot] = 2.0f * block[slot];
  __syncthreads();
  out[element] = block[slot];
}

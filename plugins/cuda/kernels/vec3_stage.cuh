// Part of the kernels that stage vectors through shared memory: moving words by all threads of a block.
//
// REAL is the element type; BLOCK the number of threads of a block; WIDTH the elements that a thread moves at once.
struct alignas(WIDTH * sizeof(REAL)) Pack {
  REAL element[WIDTH];
};

// Neighbouring threads move neighbouring packs, whatever they mean; what fills no pack goes one by one. Both arrays
// start where a pack may.
__device__ __forceinline__ void copy_by_block(const REAL* __restrict__ from, REAL* __restrict__ to, int count) {
  const int packs = count / WIDTH;
#pragma unroll
  for (int first = 0; first < 3 * BLOCK / WIDTH; first += BLOCK) {
    const int p = first + threadIdx.x;
    if (p < packs) reinterpret_cast<Pack*>(to)[p] = reinterpret_cast<const Pack*>(from)[p];
  }
  const int rest = packs * WIDTH + threadIdx.x;
  if (rest < count) to[rest] = from[rest];
}

// Vector addition through shared memory: c = a + b.
//
// What it shows   That tiling does not help where no value is used twice. The operands go the same way from global
//                 memory as in the plain kernel, and then through shared memory for nothing.
// Access pattern  As in the plain kernel; in shared memory thread t uses word t: no bank conflicts.
// Expected limit  Memory bandwidth, as without the tile.
//
// REAL is the element type; BLOCK the number of threads of a block.
extern "C" __global__ void vector_add_tiled(const REAL* __restrict__ a, const REAL* __restrict__ b,
                                            REAL* __restrict__ c, int n) {
  __shared__ REAL tile_of_a[BLOCK];
  __shared__ REAL tile_of_b[BLOCK];
  const size_t i = size_t{blockIdx.x} * BLOCK + threadIdx.x;
  if (i < n) {
    tile_of_a[threadIdx.x] = a[i];
    tile_of_b[threadIdx.x] = b[i];
  }
  __syncthreads();
  if (i < n) c[i] = tile_of_a[threadIdx.x] + tile_of_b[threadIdx.x];
}

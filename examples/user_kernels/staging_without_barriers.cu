// Adds a constant to 3-component vectors through shared memory, without the two barriers that this needs: wrong on
// purpose.
//
// What it shows   A thread works on elements 3t to 3t + 2, which threads of other warps load: without a barrier it
//                 reads what they have not loaded yet. The second barrier is missing before the others' results are
//                 stored. Which results are wrong differs from launch to launch.
//
// BLOCK is the number of threads of a block; one warp alone would show nothing.
extern "C" __global__ void staging_without_barriers(const float* in, float* out, float addend, int n) {
  __shared__ float staged[3 * BLOCK];
  const int t = threadIdx.x;
  const size_t first = size_t{blockIdx.x} * 3 * BLOCK;
  const size_t left = size_t{3} * n - first;
  const int count = left < 3 * BLOCK ? static_cast<int>(left) : 3 * BLOCK;
  for (int i = t; i < count; i += BLOCK) staged[i] = in[first + i];
  // missing: __syncthreads();
  for (int i = 3 * t; i < 3 * t + 3 && i < count; ++i) staged[i] += addend;
  // missing: __syncthreads();
  for (int i = t; i < count; i += BLOCK) out[first + i] = staged[i];
}

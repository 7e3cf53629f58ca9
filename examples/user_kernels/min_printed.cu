// The minimum of up to BLOCK numbers by one block, with a printf in each step: idx is the thread, active the number of
// those that still compare, cache what it holds afterwards.
//
// BLOCK is the number of threads, a power of two; numbers past the end count as infinite.
extern "C" __global__ void min_printed(const float* x, float* result, int n) {
  __shared__ float cache[BLOCK];
  const int idx = threadIdx.x;
  cache[idx] = idx < n ? x[idx] : __int_as_float(0x7f800000);
  __syncthreads();
  for (int active = BLOCK / 2; active > 0; active /= 2) {
    if (idx < active) {
      cache[idx] = fminf(cache[idx], cache[idx + active]);
      printf("idx %d active %d cache %f\n", idx, active, cache[idx]);
    }
    __syncthreads();
  }
  if (idx == 0) *result = cache[0];
}

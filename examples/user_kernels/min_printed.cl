// The minimum of up to BLOCK numbers by one work-group, with a printf in each step: idx is the work-item, active the
// number of those that still compare, cache what it holds afterwards.
//
// BLOCK is the number of work-items, a power of two; numbers past the end count as infinite.
__kernel void min_printed(__global const float* x, __global float* result, const int n) {
  __local float cache[BLOCK];
  const int idx = get_local_id(0);
  cache[idx] = idx < n ? x[idx] : INFINITY;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int active = BLOCK / 2; active > 0; active /= 2) {
    if (idx < active) {
      cache[idx] = fmin(cache[idx], cache[idx + active]);
      printf("idx %d active %d cache %f\n", idx, active, cache[idx]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (idx == 0) *result = cache[0];
}

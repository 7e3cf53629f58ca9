// Exercise 1, solved: work-items beyond n bring -INFINITY; NaN stays because `a > b` is false for it.
__kernel __attribute__((reqd_work_group_size(512, 1, 1)))
void largest(__global const float* x, __global float* result, const int n) {
  __local float shared[512];
  const int i = get_local_id(0);
  shared[i] = i < n ? x[i] : -INFINITY;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 256; half_size > 0; half_size /= 2) {
    if (i < half_size) {
      const float a = shared[i], b = shared[i + half_size];
      shared[i] = isnan(a) || a > b ? a : b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) *result = shared[0];
}

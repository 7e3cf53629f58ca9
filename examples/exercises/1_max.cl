// Exercise 1: the largest of n numbers, n at most 512, by one work-group of 512 work-items.
//
// Task: join the numbers in `shared` in halves (256, 128, … 1), with a barrier after each half.
// Mind     - Work-items beyond n have no number. Which one may they bring without changing the result? (Not 0.)
//          - The result is NaN if any number is NaN: fmax() alone ignores NaN, and so does `>`.
__kernel __attribute__((reqd_work_group_size(512, 1, 1)))
void largest(__global const float* x, __global float* result, const int n) {
  __local float shared[512];
  const int i = get_local_id(0);
  shared[i] = i < n ? x[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);

  // Your lines.

  if (i == 0) *result = 0.0f;
}

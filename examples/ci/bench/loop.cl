// A copy after ROUNDS multiply-adds that change nothing: limited by arithmetic, 8 bytes and 2 * ROUNDS operations an element.
// `copy` is what its result is compared with.

#define ROUNDS 2000

__kernel void loop(__global const float* x, __global float* y, int n, float one, float zero) {
  const int i = get_global_id(0);
  if (i < n) {
    float value = x[i];
    for (int round = 0; round < ROUNDS; ++round) value = value * one + zero;
    y[i] = value;
  }
}

__kernel void copy(__global const float* x, __global float* y, int n, float one, float zero) {
  const int i = get_global_id(0);
  if (i < n) y[i] = x[i];
}

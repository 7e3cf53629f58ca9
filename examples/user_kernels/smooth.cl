// y[i] = the mean of x[i - RADIUS … i + RADIUS], the ends of x going on for ever: a computation that no workload of
// the program describes.

float at(__global const float* x, int n, int i) { return x[clamp(i, 0, n - 1)]; }

// As it is written: what the other one is compared with.
__kernel void smooth_plain(__global const float* x, __global float* y, int n, int radius) {
  const int i = get_global_id(0);
  if (i >= n) return;
  float sum = 0;
  for (int j = -radius; j <= radius; ++j) sum += at(x, n, i + j);
  y[i] = sum / (2 * radius + 1);
}

// Every element of x is read once per work-group, and kept where all of its items see it.
__kernel void smooth_staged(__global const float* x, __global float* y, int n, int radius) {
  __local float stage[GROUP + 2 * RADIUS];
  const int first = get_group_id(0) * GROUP;
  for (int j = get_local_id(0); j < GROUP + 2 * RADIUS; j += GROUP) stage[j] = at(x, n, first + j - RADIUS);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int i = first + get_local_id(0);
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j <= 2 * RADIUS; ++j) sum += stage[get_local_id(0) + j];
  y[i] = sum / (2 * radius + 1);
}

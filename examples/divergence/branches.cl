// Element e goes through branch e % PATHS of PATHS branches, each a chain of ROUNDS multiply-adds of its own. The same as
// branches.cu: see there for what it shows.
#define FACTOR(path) (0.5f + 0.01f * (path))
#define SUMMAND(path) (1.0f + 0.1f * (path))

float through_branches(float x, int path) {
#pragma unroll
  for (int p = 0; p < PATHS; ++p) {
    if (path == p) {
#pragma unroll 1
      for (int round = 0; round < ROUNDS; ++round) x = x * FACTOR(p) + SUMMAND(p);
    }
  }
  return x;
}

__kernel void neighbours(__global const float* x, __global float* y, const int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = through_branches(x[i], i % PATHS);
}

__kernel void grouped(__global const float* x, __global float* y, const int n) {
  const int i = get_global_id(0);
  const int warp = i / 32, lane = i % 32;
  const int element = (warp / PATHS * 32 + lane) * PATHS + warp % PATHS;
  if (element < n) y[element] = through_branches(x[element], warp % PATHS);
}

__kernel void plain(__global const float* x, __global float* y, const int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float factor = FACTOR(i % PATHS), summand = SUMMAND(i % PATHS);
  float value = x[i];
#pragma unroll 1
  for (int round = 0; round < ROUNDS; ++round) value = value * factor + summand;
  y[i] = value;
}

// Element e goes through branch e % PATHS of PATHS branches, each a chain of ROUNDS multiply-adds of its own.
//
// What it shows   The threads of a warp share one program counter. Where they take different branches, the warp runs
//                 these one after the other, each for a part of its threads.
// neighbours      Thread i has element i: in each warp there are PATHS branches (at most 32).
// grouped         The same elements, dealt out such that all threads of a warp take the same branch.
// plain           No branches: the factors come from a formula. What the others are checked against.
#define FACTOR(path) (0.5f + 0.01f * (path))
#define SUMMAND(path) (1.0f + 0.1f * (path))

__device__ float through_branches(float x, int path) {
#pragma unroll
  for (int p = 0; p < PATHS; ++p) {
    if (path == p) {
#pragma unroll 1
      for (int round = 0; round < ROUNDS; ++round) x = x * FACTOR(p) + SUMMAND(p);
    }
  }
  return x;
}

extern "C" __global__ void neighbours(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = through_branches(x[i], i % PATHS);
}

extern "C" __global__ void grouped(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp = i / 32, lane = i % 32;
  const int element = (warp / PATHS * 32 + lane) * PATHS + warp % PATHS;
  if (element < n) y[element] = through_branches(x[element], warp % PATHS);
}

extern "C" __global__ void plain(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float factor = FACTOR(i % PATHS), summand = SUMMAND(i % PATHS);
  float value = x[i];
#pragma unroll 1
  for (int round = 0; round < ROUNDS; ++round) value = value * factor + summand;
  y[i] = value;
}

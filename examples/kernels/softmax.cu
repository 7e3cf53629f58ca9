// The softmax of each row, y = exp(x - max x) / sum of exp(x - max x), as a template of the element type and of the
// threads of a block. The table names the instance: `softmax<float, BLOCK>`.

/// One value of all threads of a block, by halves; every thread gets it.
template <int BLOCK, class Join>
__device__ float joined(float value, Join join) {
  __shared__ float values[BLOCK];
  __syncthreads();  // the values of an earlier call were read
  values[threadIdx.x] = value;
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] = join(values[threadIdx.x], values[threadIdx.x + half]);
  }
  __syncthreads();
  return values[0];
}

/// A block for each row. It reads its row three times, which the first cache holds if the row is short.
template <class Real, int BLOCK>
__global__ void softmax(const Real* x, Real* y, int columns) {
  const Real* row = x + size_t(blockIdx.x) * columns;
  float most = float(row[0]);
  for (int i = threadIdx.x; i < columns; i += BLOCK) most = fmaxf(most, float(row[i]));
  most = joined<BLOCK>(most, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += BLOCK) sum += expf(float(row[i]) - most);
  sum = joined<BLOCK>(sum, [](float a, float b) { return a + b; });
  for (int i = threadIdx.x; i < columns; i += BLOCK) {
    y[size_t(blockIdx.x) * columns + i] = Real(expf(float(row[i]) - most) / sum);
  }
}

/// A thread for each row, in double precision: what is right.
template <class Real>
__global__ void softmax_by_rows(const Real* x, Real* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const Real* from = x + size_t(row) * columns;
  double most = from[0], sum = 0;
  for (int i = 1; i < columns; ++i) most = fmax(most, double(from[i]));
  for (int i = 0; i < columns; ++i) sum += exp(double(from[i]) - most);
  for (int i = 0; i < columns; ++i) y[size_t(row) * columns + i] = Real(exp(double(from[i]) - most) / sum);
}

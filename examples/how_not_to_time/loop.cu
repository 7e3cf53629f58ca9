// How not to time a kernel, and the plain loop that is right. From the project's root:
//
//     nvcc -O2 -arch=native -I plugins/cuda/kernels -o loop examples/how_not_to_time/loop.cu -lcublas && ./loop
//
// Each row is one way to time the same kernels; the last one is the plain loop that benchctl's medians are compared with
// (docs/experiments/how_not_to_time.md).
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#define REAL float
#define TILE 16
#define STORE_EVERY_STEP 0
#include "matmul_naive.cu"
#include "matmul_tiled.cu"

template <typename T>
T* filled(size_t count, bool zeros = false) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<T> values(count);
  for (T& value : values) value = zeros ? 0.0f : uniform(random);
  T* device = nullptr;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, values.data(), count * sizeof(T), cudaMemcpyDefault);
  return device;
}

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Times in µs of `count` launches, each between two events of its own.
std::vector<double> by_events(const std::function<void()>& launch, int count) {
  std::vector<double> times;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  for (int i = 0; i < count; ++i) {
    float ms = 0;
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    times.push_back(1000.0 * ms);
  }
  return times;
}

void report(const char* name, const std::function<void()>& launch, std::FILE* csv) {
  std::printf("\nmatmul, %s, n = 1024\n", name);
  double start = now_us();
  launch();
  cudaDeviceSynchronize();
  std::printf("%12.2f us  the first launch: loading the code is part of it\n", now_us() - start);
  for (int i = 0; i < 20; ++i) launch();
  cudaDeviceSynchronize();
  start = now_us();
  for (int i = 0; i < 100; ++i) launch();
  std::printf("%12.2f us  the host's clock without synchronisation: what queuing a launch takes\n", (now_us() - start) / 100);
  cudaDeviceSynchronize();
  start = now_us();
  for (int i = 0; i < 100; ++i) launch(), cudaDeviceSynchronize();
  std::printf("%12.2f us  the host's clock, synchronised each time: waiting is part of it\n", (now_us() - start) / 100);
  const std::vector<double> times = by_events(launch, 200);
  double sum = 0;
  for (double time : times) sum += time;
  std::printf("%12.2f us  events, the mean of 200: one disturbed launch moves it (the longest took %.2f)\n", sum / 200,
              *std::max_element(times.begin(), times.end()));
  std::printf("%12.2f us  events, the median of 200: right, but 2 to 4 us of the events are part of it\n", median(times));
  std::vector<double> batches = by_events([&] { for (int i = 0; i < 20; ++i) launch(); }, 20);
  std::printf("%12.2f us  events around 20 launches, the median of 20: right\n", median(batches) / 20);
  if (csv != nullptr) std::fprintf(csv, "%s,%.3f,%.3f\n", name, median(batches) / 20, median(times));
}

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;  // a table of the right figures, if it is asked for
  if (csv != nullptr) std::fprintf(csv, "kernel,batched_us,single_us\n");
  const int n = 1024;
  float *a = filled<float>(n * n), *b = filled<float>(n * n), *c = filled<float>(n * n, true);
  report("naive", [=] { matmul_naive<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, c, n, n, n); }, csv);
  report("tiled", [=] { matmul_tiled<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n, n, n); }, csv);

  cublasHandle_t blas;
  cublasCreate(&blas);
  const int m = 8192;
  using Narrow = __nv_bfloat16;
  Narrow* product = filled<Narrow>(size_t(m) * m, true);
  std::printf("\ncuBLAS, bf16, n = 8192: the median of 200\n");
  for (const bool zeros : {false, true}) {
    Narrow* operand = filled<Narrow>(size_t(m) * m, zeros);
    const auto launch = [&] {
      const float one = 1, zero = 0;
      cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, operand, CUDA_R_16BF, m, operand, CUDA_R_16BF, m, &zero,
                   product, CUDA_R_16BF, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    };
    by_events(launch, 50);
    std::printf("%12.2f us  %s\n", median(by_events(launch, 200)),
                zeros ? "zeros as input: no bit changes, so the chip stays below its power limit" : "random input: right");
    cudaFree(operand);
  }
  if (csv != nullptr) std::fclose(csv);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
}

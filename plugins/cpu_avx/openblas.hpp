// OpenBLAS opened at run time: the `vendor` variants.
#pragma once

#include <benchctl/shared_library.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace benchctl::cpu_avx {

class OpenBlas {
 public:
  /// Opens it at the first call. Failure unsupported, with the names that were tried, when there is none.
  [[nodiscard]] static const OpenBlas& instance();

  /// C = A·B, dense row-major.
  void multiply(std::int32_t m, std::int32_t n, std::int32_t k, const float* a, const float* b,
                float* c) const;
  void multiply(std::int32_t m, std::int32_t n, std::int32_t k, const double* a, const double* b,
                double* c) const;
  /// Σ x_i · y_i.
  [[nodiscard]] float dot(std::int32_t n, const float* x, const float* y) const;
  [[nodiscard]] double dot(std::int32_t n, const double* x, const double* y) const;
  /// Square root of Σ x_i².
  [[nodiscard]] float norm(std::int32_t n, const float* x) const;
  [[nodiscard]] double norm(std::int32_t n, const double* x) const;
  /// out = inᵀ, dense row-major, `in` rows × columns. Runs on the calling thread.
  void transpose(std::int32_t rows, std::int32_t columns, const float* in, float* out) const;
  void transpose(std::int32_t rows, std::int32_t columns, const double* in, double* out) const;
  /// Asks for so many threads and returns how many it will use.
  unsigned set_threads(unsigned threads) const;

  /// `library` and `library_core`: its build, and the processor that its kernels are for. `old_kernel`: the
  /// latter again, if this processor has vector instructions that those kernels leave unused.
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const;

 private:
  template <class T>
  using Gemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, T alpha,
                        const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc);
  template <class T>
  using Dot = T (*)(int n, const T* x, int stride_x, const T* y, int stride_y);
  template <class T>
  using Norm = T (*)(int n, const T* x, int stride);

  template <class T>
  using Omatcopy = void (*)(int order, int transpose, int rows, int columns, T alpha, const T* a, int lda,
                            T* b, int ldb);

  OpenBlas();
  /// Throws LibraryError.
  void bind(const SharedLibrary& library);

  Gemm<float> sgemm_ = nullptr;
  Gemm<double> dgemm_ = nullptr;
  Dot<float> sdot_ = nullptr;
  Dot<double> ddot_ = nullptr;
  Norm<float> snrm2_ = nullptr;
  Norm<double> dnrm2_ = nullptr;
  Omatcopy<float> somatcopy_ = nullptr;
  Omatcopy<double> domatcopy_ = nullptr;
  void (*set_num_threads_)(int) = nullptr;
  int (*get_num_threads_)() = nullptr;
  std::string config_;
  std::string core_name_;
};

}  // namespace benchctl::cpu_avx

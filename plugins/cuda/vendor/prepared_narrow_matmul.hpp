// matmul/vendor_tf32 and matmul/vendor_bf16: cuBLASLt.
#pragma once

#include "measure/execution.hpp"
#include "vendor/product_shape.hpp"

#include <cublasLt.h>

namespace benchctl::cuda {

/// C (m×n) = A (m×k) · B (k×n), all row-major, as the column-major Cᵀ = Bᵀ · Aᵀ: f32 matrices with tf32
/// arithmetic, or bf16 matrices. Runs the algorithm, among those that the library's heuristics propose,
/// which was the fastest on this problem.
class PreparedNarrowMatmul final : public PreparedExecution {
 public:
  /// Runs every candidate a few times; C holds a product afterwards. Throws Failure: unsupported when there
  /// is no cuBLASLt, the type is neither f32 nor bf16, or the library proposes nothing.
  explicit PreparedNarrowMatmul(DeviceProblem& problem);
  PreparedNarrowMatmul(const PreparedNarrowMatmul&) = delete;
  PreparedNarrowMatmul& operator=(const PreparedNarrowMatmul&) = delete;
  ~PreparedNarrowMatmul() override;

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override;

 protected:
  void enqueue(std::uint32_t set) override;
  /// A split product clears its sums, multiplies and adds up.
  [[nodiscard]] std::uint32_t operations() const override { return 4; }
  [[nodiscard]] std::string title() const override { return "cuBLASLt's product"; }

 private:
  void describe();
  void choose();
  void release() noexcept;
  [[nodiscard]] cublasStatus_t multiply(std::uint32_t set, const cublasLtMatmulAlgo_t& algorithm) const;

  const CublasLtApi& api_;
  ProductShape shape_;
  DeviceMemory workspace_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr;
  cublasLtMatrixLayout_t b_ = nullptr;
  cublasLtMatrixLayout_t c_ = nullptr;
  cublasLtMatmulAlgo_t algorithm_{};
  int candidates_ = 0;
  int chosen_ = 0;
};

}  // namespace benchctl::cuda

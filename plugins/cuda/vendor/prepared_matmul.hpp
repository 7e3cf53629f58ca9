// matmul/vendor: cuBLAS.
#pragma once

#include "measure/execution.hpp"
#include "vendor/product_shape.hpp"

namespace benchctl::cuda {

/// C (m×n) = A (m×k) · B (k×n), all row-major, as cuBLAS's column-major Cᵀ = Bᵀ · Aᵀ: a row-major matrix is
/// its own transpose to cuBLAS, so that nothing is transposed.
class PreparedMatmul final : public PreparedExecution {
 public:
  /// Throws Failure: unsupported when there is no cuBLAS or the type is neither f32 nor f64.
  explicit PreparedMatmul(DeviceProblem& problem);

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override;

 protected:
  void enqueue(std::uint32_t set) override;
  /// A split product clears its sums, multiplies and adds up.
  [[nodiscard]] std::uint32_t operations() const override { return 4; }
  [[nodiscard]] std::string title() const override { return "cuBLAS's product"; }

 private:
  /// Doubles are multiplied in IEEE arithmetic in every mode, but in pedantic mode by slower kernels.
  [[nodiscard]] cublasMath_t math_mode() const;

  CublasHandle& blas_;
  ProductShape shape_;
};

}  // namespace benchctl::cuda

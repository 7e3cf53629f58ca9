#include "vendor/prepared_matmul.hpp"

namespace benchctl::cuda {

PreparedMatmul::PreparedMatmul(DeviceProblem& problem)
    : PreparedExecution(problem),
      blas_(context().cublas()),
      shape_(product_shape(problem.spec(), "cuBLAS")) {
  if (shape_.type != DType::f32 && shape_.type != DType::f64) {
    throw Failure(FailureKind::unsupported,
                  "variant matmul/vendor takes f32 and f64, not " + std::string(to_string(shape_.type)));
  }
}

std::map<std::string, std::string, std::less<>> PreparedMatmul::notes() const {
  blas_.use(math_mode());
  return blas_.notes();
}

cublasMath_t PreparedMatmul::math_mode() const {
  return shape_.type == DType::f64 ? CUBLAS_DEFAULT_MATH : CUBLAS_PEDANTIC_MATH;
}

void PreparedMatmul::enqueue(std::uint32_t set) {
  blas_.use(math_mode());
  const auto product = [&]<class Real>(auto gemm, Real one, Real zero) {
    const auto at = [&](std::size_t buffer) {
      return reinterpret_cast<Real*>(problem().address(set, buffer));
    };
    blas_.api().check(gemm(blas_.get(), CUBLAS_OP_N, CUBLAS_OP_N, shape_.n, shape_.m, shape_.k, &one,
                           at(shape_.b), shape_.n, at(shape_.a), shape_.k, &zero, at(shape_.c), shape_.n),
                      "multiplying with cuBLAS");
  };
  if (shape_.type == DType::f32) {
    product(blas_.api().sgemm, 1.0F, 0.0F);
  } else {
    product(blas_.api().dgemm, 1.0, 0.0);
  }
}

}  // namespace benchctl::cuda

#include "prepared_matmul.hpp"

#include <limits>

namespace benchctl::cuda {

namespace {

std::size_t buffer_named(const ProblemSpec& spec, const char* name) {
  if (const auto index = spec.buffer_index(name)) return *index;
  throw Failure(FailureKind::unsupported, "cuBLAS needs a buffer " + std::string(name) +
                                              ", which workload '" + spec.workload + "' does not have");
}

int size_named(const ProblemSpec& spec, const char* name) {
  const auto index = spec.scalar_index(name);
  const auto* value = index ? std::get_if<std::int64_t>(&spec.scalars[*index].value) : nullptr;
  if (value == nullptr || *value < 1 || *value > std::numeric_limits<int>::max()) {
    throw Failure(FailureKind::unsupported,
                  "cuBLAS needs a size " + std::string(name) + " between 1 and 2147483647");
  }
  return static_cast<int>(*value);
}

}  // namespace

PreparedMatmul::PreparedMatmul(DeviceProblem& problem)
    : PreparedExecution(problem),
      blas_(context().cublas()),
      a_(buffer_named(problem.spec(), "A")),
      b_(buffer_named(problem.spec(), "B")),
      c_(buffer_named(problem.spec(), "C")),
      m_(size_named(problem.spec(), "m")),
      n_(size_named(problem.spec(), "n")),
      k_(size_named(problem.spec(), "k")) {
  type_ = problem.spec().buffers[c_].type;
  if (type_ != DType::f32 && type_ != DType::f64) {
    throw Failure(FailureKind::unsupported,
                  "variant matmul/vendor takes f32 and f64, not " + std::string(to_string(type_)));
  }
}

void PreparedMatmul::enqueue(std::uint32_t set) {
  const auto product = [&]<class Real>(auto gemm, Real one, Real zero) {
    const auto at = [&](std::size_t buffer) {
      return reinterpret_cast<Real*>(problem().address(set, buffer));
    };
    blas_.api().check(gemm(blas_.get(), CUBLAS_OP_N, CUBLAS_OP_N, n_, m_, k_, &one, at(b_), n_, at(a_), k_,
                           &zero, at(c_), n_),
                      "multiplying with cuBLAS");
  };
  if (type_ == DType::f32) {
    product(blas_.api().sgemm, 1.0F, 0.0F);
  } else {
    product(blas_.api().dgemm, 1.0, 0.0);
  }
}

}  // namespace benchctl::cuda

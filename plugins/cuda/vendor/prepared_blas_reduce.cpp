#include "vendor/prepared_blas_reduce.hpp"

#include <limits>

namespace benchctl::cuda {

PreparedBlasReduce::PreparedBlasReduce(DeviceProblem& problem)
    : PreparedExecution(problem), blas_(context().cublas()) {
  const ProblemSpec& spec = problem.spec();
  const std::string op = std::get<std::string>(spec.parameters.at("op"));
  if (op != "norm" && op != "dot") {
    throw Failure(FailureKind::unsupported, "cuBLAS computes norms and dot products, no " + op);
  }
  const auto n = std::get<std::int64_t>(spec.scalars.at(spec.position_of_scalar("n")).value);
  if (n > std::numeric_limits<int>::max()) {
    throw Failure(FailureKind::unsupported,
                  "cuBLAS counts elements up to 2147483647, not " + std::to_string(n));
  }
  is_dot_ = op == "dot";
  is_f64_ = spec.buffers.front().type == DType::f64;
  n_ = static_cast<int>(n);
}

void PreparedBlasReduce::enqueue(std::uint32_t set) {
  const CublasApi& api = blas_.api();
  const auto reduce = [&]<class Real>(auto norm, auto dot, Real* /*type*/) {
    const auto at = [&](const char* name) {
      return reinterpret_cast<Real*>(problem().address(set, problem().spec().position_of_buffer(name)));
    };
    return is_dot_ ? dot(blas_.get(), n_, at("x"), 1, at("y"), 1, at("result"))
                   : norm(blas_.get(), n_, at("x"), 1, at("result"));
  };
  // The result goes to device memory, as everybody's does; other calls of cuBLAS have their factors on the
  // host.
  api.check(api.set_pointer_mode(blas_.get(), CUBLAS_POINTER_MODE_DEVICE), "telling cuBLAS of its result");
  const cublasStatus_t status = is_f64_ ? reduce(api.dnrm2, api.ddot, static_cast<double*>(nullptr))
                                        : reduce(api.snrm2, api.sdot, static_cast<float*>(nullptr));
  api.check(api.set_pointer_mode(blas_.get(), CUBLAS_POINTER_MODE_HOST), "telling cuBLAS of its factors");
  api.check(status, "reducing with cuBLAS");
}

}  // namespace benchctl::cuda

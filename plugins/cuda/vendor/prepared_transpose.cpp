#include "vendor/prepared_transpose.hpp"

namespace benchctl::cuda {

namespace {

int extent(const ProblemSpec& spec, const char* name) {
  return static_cast<int>(std::get<std::int64_t>(spec.scalars[spec.position_of_scalar(name)].value));
}

}  // namespace

PreparedTranspose::PreparedTranspose(DeviceProblem& problem)
    : PreparedExecution(problem),
      blas_(context().cublas()),
      in_(problem.spec().position_of_buffer("in")),
      out_(problem.spec().position_of_buffer("out")),
      rows_(extent(problem.spec(), "rows")),
      columns_(extent(problem.spec(), "columns")) {}

void PreparedTranspose::enqueue(std::uint32_t set) {
  if (problem().spec().buffers[in_].type == DType::f64) {
    transpose<double>(blas_.api().dgeam, set);
  } else {
    transpose<float>(blas_.api().sgeam, set);
  }
}

template <class Real, class Geam>
void PreparedTranspose::transpose(Geam geam, std::uint32_t set) {
  const Real one = 1;
  const Real zero = 0;
  const auto* in = reinterpret_cast<const Real*>(problem().address(set, in_));
  auto* out = reinterpret_cast<Real*>(problem().address(set, out_));
  // The second operand is multiplied by zero and never read.
  blas_.api().check(geam(blas_.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows_, columns_, &one, in, columns_, &zero,
                         out, rows_, out, rows_),
                    "transposing with cuBLAS");
}

}  // namespace benchctl::cuda

// The variants of cuBLAS.
#include "gpu/native_work.hpp"
#include "vendor/variants.hpp"

namespace benchctl::cuda {

namespace {

constexpr const char* cublas_name = "cuBLAS";

/// `call(set, real)` queues with values of the type of `real`; `type` is the problem's.
template <class Call>
std::unique_ptr<gpu::Work> cublas_work(const CublasHandle& blas, const char* title,
                                       std::uint32_t operations, DType type, Call call) {
  gpu::with_real(type, cublas_name, [](auto) {});
  return std::make_unique<gpu::Call>(
      gpu::Call::About{title, operations, blas.notes()}, [type, call](std::uint32_t set) {
        gpu::with_real(type, cublas_name, [&](auto real) { call(set, real); });
      });
}

/// Where a set's buffer is on the device.
template <class Real>
Real* address(const Buffers& buffers, std::uint32_t set, std::size_t buffer) {
  return reinterpret_cast<Real*>(buffers.get(set, buffer).address());
}

/// One of two functions, by the type.
template <class Real, class Single, class Double>
auto choose(Single single, Double twice) {
  if constexpr (std::is_same_v<Real, double>) {
    return twice;
  } else {
    return single;
  }
}

}  // namespace

std::unique_ptr<gpu::Work> make_cublas_matmul(Context& context, const Buffers& buffers) {
  CublasHandle& blas = context.cublas();
  const gpu::Product shape(buffers.spec(), cublas_name);
  // Doubles are multiplied in IEEE arithmetic in every mode, but in pedantic mode by slower kernels.
  const cublasMath_t mode = shape.type == DType::f64 ? CUBLAS_DEFAULT_MATH : CUBLAS_PEDANTIC_MATH;
  blas.use(mode);
  // A split product clears its sums, multiplies and adds up.
  return cublas_work(blas, "cuBLAS's product", 4, shape.type,
                     [&blas, &buffers, shape, mode]<class Real>(std::uint32_t set, Real one) {
                       blas.use(mode);
                       one = 1;
                       const Real zero = 0;
                       const auto gemm = choose<Real>(blas.api().sgemm, blas.api().dgemm);
                       const auto at = [&](std::size_t i) { return address<Real>(buffers, set, i); };
                       blas.api().check(
                           gemm(blas.get(), CUBLAS_OP_N, CUBLAS_OP_N, shape.n, shape.m, shape.k, &one,
                                at(shape.b), shape.n, at(shape.a), shape.k, &zero, at(shape.c), shape.n),
                           "multiplying with cuBLAS");
                     });
}

std::unique_ptr<gpu::Work> make_cublas_reduce(Context& context, const Buffers& buffers) {
  CublasHandle& blas = context.cublas();
  const ProblemSpec& spec = buffers.spec();
  const std::string op = gpu::operation_of(spec);
  if (op != "norm" && op != "dot") {
    throw Failure(FailureKind::unsupported, "cuBLAS computes norms and dot products, no " + op);
  }
  const bool is_dot = op == "dot";
  const int n = gpu::extent(spec, "n", cublas_name);
  const std::size_t x = gpu::buffer_at(spec, "x", cublas_name);
  const std::size_t y = is_dot ? gpu::buffer_at(spec, "y", cublas_name) : x;
  const std::size_t result = gpu::buffer_at(spec, "result", cublas_name);
  // A launch for the parts and one to join them.
  return cublas_work(blas, "cuBLAS's reduction", 2, spec.buffers[x].type,
                     [&blas, &buffers, is_dot, n, x, y, result]<class Real>(std::uint32_t set, Real) {
                       const CublasApi& api = blas.api();
                       const auto at = [&](std::size_t i) { return address<Real>(buffers, set, i); };
                       // The result goes to device memory, as everybody's does; other calls of cuBLAS have
                       // their factors on the host.
                       api.check(api.set_pointer_mode(blas.get(), CUBLAS_POINTER_MODE_DEVICE),
                                 "telling cuBLAS of its result");
                       const cublasStatus_t status =
                           is_dot ? choose<Real>(api.sdot, api.ddot)(blas.get(), n, at(x), 1, at(y), 1,
                                                                     at(result))
                                  : choose<Real>(api.snrm2, api.dnrm2)(blas.get(), n, at(x), 1, at(result));
                       api.check(api.set_pointer_mode(blas.get(), CUBLAS_POINTER_MODE_HOST),
                                 "telling cuBLAS of its factors");
                       api.check(status, "reducing with cuBLAS");
                     });
}

std::unique_ptr<gpu::Work> make_cublas_transpose(Context& context, const Buffers& buffers) {
  CublasHandle& blas = context.cublas();
  const ProblemSpec& spec = buffers.spec();
  const std::size_t in = gpu::buffer_at(spec, "in", cublas_name);
  const std::size_t out = gpu::buffer_at(spec, "out", cublas_name);
  const int rows = gpu::extent(spec, "rows", cublas_name);
  const int columns = gpu::extent(spec, "columns", cublas_name);
  // cuBLAS counts in columns: what is row-major to us is its own transpose there, for in and out alike.
  return cublas_work(
      blas, "cuBLAS's transpose", 1, spec.buffers[in].type,
      [&blas, &buffers, in, out, rows, columns]<class Real>(std::uint32_t set, Real one) {
        one = 1;
        const Real zero = 0;
        const auto geam = choose<Real>(blas.api().sgeam, blas.api().dgeam);
        Real* const target = address<Real>(buffers, set, out);
        // The second operand is multiplied by zero and never read.
        blas.api().check(geam(blas.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one,
                              address<Real>(buffers, set, in), columns, &zero, target, rows, target, rows),
                         "transposing with cuBLAS");
      });
}

}  // namespace benchctl::cuda

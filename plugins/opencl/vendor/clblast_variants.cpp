// The variants of CLBlast.
#include "vendor/clblast_variants.hpp"
#include "gpu/native_work.hpp"
#include "vendor/clblast.hpp"

namespace benchctl::opencl {

namespace {

constexpr const char* clblast_name = "CLBlast";

std::size_t clblast_extent(const Buffers& buffers, std::string_view name) {
  return static_cast<std::size_t>(gpu::extent<std::int64_t>(buffers.spec(), name, clblast_name));
}

std::size_t clblast_buffer(const Buffers& buffers, std::string_view name) {
  return gpu::buffer_at(buffers.spec(), name, clblast_name);
}

/// One of two functions, by the type of a value.
template <class Single, class Double>
auto by_type(float, Single single, Double) {
  return single;
}
template <class Single, class Double>
auto by_type(double, Single, Double twice) {
  return twice;
}

/// `call(set, out, real)` has the library queue its commands: inputs of a set of buffers, the output as
/// given, in the type of `real`. It is run once with a copy of the output, so that the library's kernels
/// are chosen and compiled now and not in a sample. `commands`: of it and of a time stamp at either end,
/// since CLBlast's own event covers the last of its kernels only.
template <class Function>
std::unique_ptr<gpu::Work> clblast_work(Device& device, const Buffers& buffers, const char* output,
                                        std::uint32_t commands, Function call) {
  if (!clblast().missing.empty()) throw Failure(FailureKind::unsupported, clblast().missing);
  const std::size_t out = clblast_buffer(buffers, output);
  const BufferSpec& spec = buffers.spec().buffers[out];
  const auto queue = [type = spec.type, call](std::uint32_t set, cl_mem memory) {
    gpu::with_real(type, clblast_name, [&](auto real) { call(set, memory, real); });
  };
  const Memory copy = device.allocate(Space::device, spec.bytes(), "CLBlast's first run");
  queue(0, copy.get());
  device.finish("CLBlast's first run");
  return std::make_unique<gpu::Call>(
      gpu::Call::About{"CLBlast's work", commands, {{"library", clblast().description}}, true},
      [queue, out, &buffers](std::uint32_t set) { queue(set, buffers.get(set, out).get()); });
}

}  // namespace

std::unique_ptr<gpu::Work> make_clblast_matmul(Device& device, const Buffers& buffers) {
  const std::size_t a = clblast_buffer(buffers, "A");
  const std::size_t b = clblast_buffer(buffers, "B");
  const std::size_t m = clblast_extent(buffers, "m");
  const std::size_t n = clblast_extent(buffers, "n");
  const std::size_t k = clblast_extent(buffers, "k");
  // Up to three copies into padded buffers, the product, one copy back.
  return clblast_work(device, buffers, "C", 7,
                      [&device, &buffers, a, b, m, n, k]<class Real>(std::uint32_t set, cl_mem c, Real) {
                        cl_command_queue queue = device.queue.get();
                        const auto gemm = by_type(Real{}, clblast().sgemm, clblast().dgemm);
                        check_clblast(
                            gemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, m, n, k,
                                 Real{1}, buffers.get(set, a).get(), 0, k, buffers.get(set, b).get(), 0, n,
                                 Real{0}, c, 0, n, &queue, nullptr),
                            "multiply matrices");
                      });
}

std::unique_ptr<gpu::Work> make_clblast_reduce(Device& device, const Buffers& buffers) {
  const std::string op = gpu::operation_of(buffers.spec());
  if (op != "sum" && op != "norm" && op != "dot") {
    throw Failure(FailureKind::unsupported, "CLBlast is used for op sum, norm and dot");
  }
  const std::size_t n = clblast_extent(buffers, "n");
  const std::size_t x = clblast_buffer(buffers, "x");
  const std::size_t y = op == "dot" ? clblast_buffer(buffers, "y") : x;
  // Parts, the join of parts.
  return clblast_work(device, buffers, "result", 4,
                      [&device, &buffers, op, n, x, y]<class Real>(std::uint32_t set, cl_mem result, Real) {
                        cl_command_queue queue = device.queue.get();
                        const ClBlast& library = clblast();
                        if (op == "dot") {
                          const auto dot = by_type(Real{}, library.sdot, library.ddot);
                          check_clblast(dot(n, result, 0, buffers.get(set, x).get(), 0, 1,
                                            buffers.get(set, y).get(), 0, 1, &queue, nullptr),
                                        "multiply vectors");
                          return;
                        }
                        const auto reduce = op == "norm" ? by_type(Real{}, library.snrm2, library.dnrm2)
                                                         : by_type(Real{}, library.ssum, library.dsum);
                        check_clblast(
                            reduce(n, result, 0, buffers.get(set, x).get(), 0, 1, &queue, nullptr),
                            "reduce a vector");
                      });
}

std::unique_ptr<gpu::Work> make_clblast_transpose(Device& device, const Buffers& buffers) {
  const std::size_t in = clblast_buffer(buffers, "in");
  const std::size_t rows = clblast_extent(buffers, "rows");
  const std::size_t columns = clblast_extent(buffers, "columns");
  // One kernel.
  return clblast_work(
      device, buffers, "out", 3,
      [&device, &buffers, in, rows, columns]<class Real>(std::uint32_t set, cl_mem out, Real) {
        cl_command_queue queue = device.queue.get();
        const auto omatcopy = by_type(Real{}, clblast().somatcopy, clblast().domatcopy);
        check_clblast(omatcopy(CLBlastLayoutRowMajor, CLBlastTransposeYes, rows, columns, Real{1},
                               buffers.get(set, in).get(), 0, columns, out, 0, rows, &queue, nullptr),
                      "transpose a matrix");
      });
}

}  // namespace benchctl::opencl

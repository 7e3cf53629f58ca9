// matmul/vendor: CLBlast's GEMM.
#include "driver/error.hpp"
#include "vendor/clblast.hpp"
#include "vendor/clblast_work.hpp"

namespace benchctl::opencl {

namespace {

class ClBlastMatmul final : public ClBlastWork {
 public:
  ClBlastMatmul(const OpenDevice& device, const Buffers& buffers)
      : ClBlastWork(device, buffers, "C"),
        a_(clblast_buffer(buffers.spec(), "A")),
        b_(clblast_buffer(buffers.spec(), "B")),
        m_(clblast_extent(buffers.spec(), "m")),
        n_(clblast_extent(buffers.spec(), "n")),
        k_(clblast_extent(buffers.spec(), "k")) {
    rehearse();
  }

  // Up to three copies into padded buffers, the product, one copy back, a time stamp at either end.
  [[nodiscard]] std::uint32_t commands() const override { return 7; }

 private:
  void call(std::uint32_t set, cl_mem c) const override {
    if (type() == DType::f64) {
      gemm(clblast().dgemm, 1.0, 0.0, set, c);
    } else {
      gemm(clblast().sgemm, 1.0F, 0.0F, set, c);
    }
  }

  template <class Gemm, class Real>
  void gemm(Gemm function, Real alpha, Real beta, std::uint32_t set, cl_mem c) const {
    cl_command_queue queue = device().queue.get();
    check_clblast(function(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, m_, n_, k_, alpha,
                           buffers().get(set, a_), 0, k_, buffers().get(set, b_), 0, n_, beta, c, 0, n_,
                           &queue, nullptr),
                  "multiply matrices");
  }

  std::size_t a_;
  std::size_t b_;
  std::size_t m_;
  std::size_t n_;
  std::size_t k_;
};

}  // namespace

std::unique_ptr<Work> make_clblast_matmul(const OpenDevice& device, const Buffers& buffers) {
  return std::make_unique<ClBlastMatmul>(device, buffers);
}

}  // namespace benchctl::opencl

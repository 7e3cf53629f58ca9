// The `vendor` variant of transpose.
#include "driver/error.hpp"
#include "vendor/clblast.hpp"
#include "vendor/clblast_work.hpp"

namespace benchctl::opencl {

namespace {

class ClBlastTranspose final : public ClBlastWork {
 public:
  ClBlastTranspose(const OpenDevice& device, const Buffers& buffers)
      : ClBlastWork(device, buffers, "out"),
        in_(clblast_buffer(buffers.spec(), "in")),
        rows_(clblast_extent(buffers.spec(), "rows")),
        columns_(clblast_extent(buffers.spec(), "columns")) {
    rehearse();
  }

  // One kernel, a time stamp at either end.
  [[nodiscard]] std::uint32_t commands() const override { return 3; }

 protected:
  void call(std::uint32_t set, cl_mem out) const override {
    if (type() == DType::f64) {
      omatcopy(clblast().domatcopy, 1.0, set, out);
    } else {
      omatcopy(clblast().somatcopy, 1.0F, set, out);
    }
  }

 private:
  template <class Omatcopy, class Real>
  void omatcopy(Omatcopy function, Real alpha, std::uint32_t set, cl_mem out) const {
    cl_command_queue queue = device().queue.get();
    check_clblast(function(CLBlastLayoutRowMajor, CLBlastTransposeYes, rows_, columns_, alpha,
                           buffers().get(set, in_), 0, columns_, out, 0, rows_, &queue, nullptr),
                  "transpose a matrix");
  }

  std::size_t in_;
  std::size_t rows_;
  std::size_t columns_;
};

}  // namespace

std::unique_ptr<Work> make_clblast_transpose(const OpenDevice& device, const Buffers& buffers) {
  return std::make_unique<ClBlastTranspose>(device, buffers);
}

}  // namespace benchctl::opencl

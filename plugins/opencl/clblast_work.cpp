#include "clblast_work.hpp"

#include "clblast.hpp"
#include "error.hpp"

namespace benchctl::opencl {

namespace {

std::size_t extent(const ProblemSpec& spec, std::string_view name) {
  const auto found = spec.parameters.find(name);
  const auto* value = found == spec.parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  if (value == nullptr || *value < 1) {
    throw Failure(FailureKind::unsupported,
                  "problem parameter '" + std::string(name) + "' is no positive integer");
  }
  return static_cast<std::size_t>(*value);
}

std::size_t buffer_named(const ProblemSpec& spec, std::string_view name) {
  const auto index = spec.buffer_index(name);
  if (!index)
    throw Failure(FailureKind::unsupported, "the problem has no buffer '" + std::string(name) + "'");
  return *index;
}

class ClBlastMatmul final : public Work {
 public:
  ClBlastMatmul(const OpenDevice& device, const Buffers& buffers)
      : device_(device),
        buffers_(buffers),
        a_(buffer_named(buffers.spec(), "A")),
        b_(buffer_named(buffers.spec(), "B")),
        c_(buffer_named(buffers.spec(), "C")),
        m_(extent(buffers.spec(), "m")),
        n_(extent(buffers.spec(), "n")),
        k_(extent(buffers.spec(), "k")),
        type_(buffers.spec().buffers[c_].type) {
    if (type_ != DType::f32 && type_ != DType::f64) {
      throw Failure(FailureKind::unsupported,
                    "CLBlast is used for f32 and f64, not " + std::string(to_string(type_)));
    }
    const BufferHandle copy = device.allocate(buffers.spec().buffers[c_].bytes(), "CLBlast's first run");
    multiply(0, copy.get());
    device.finish();
    stamp_ = device.allocate(sizeof(cl_uint), "a time stamp");
  }

  void enqueue(std::uint32_t set, const Bracket& bracket) override {
    if (bracket.first != nullptr) enqueue_stamp(bracket.gate, *bracket.first);
    multiply(set, buffers_.get(set, c_));
    if (bracket.last != nullptr) enqueue_stamp(nullptr, *bracket.last);
  }
  // Up to three copies into padded buffers, the product, one copy back, a time stamp at either end.
  [[nodiscard]] std::uint32_t commands() const override { return 7; }
  // CLBlast's own event covers the last of its kernels only.
  [[nodiscard]] bool bracketed() const override { return true; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"library", clblast().description}};
  }

 private:
  void multiply(std::uint32_t set, cl_mem c) const {
    if (type_ == DType::f64) {
      gemm(clblast().dgemm, 1.0, 0.0, set, c);
    } else {
      gemm(clblast().sgemm, 1.0F, 0.0F, set, c);
    }
  }

  template <class Gemm, class Real>
  void gemm(Gemm function, Real alpha, Real beta, std::uint32_t set, cl_mem c) const {
    cl_command_queue queue = device_.queue.get();
    check_clblast(function(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, m_, n_, k_, alpha,
                           buffers_.get(set, a_), 0, k_, buffers_.get(set, b_), 0, n_, beta, c, 0, n_,
                           &queue, nullptr),
                  "multiply matrices");
  }

  /// A command that does next to nothing, for the times of its event. (A marker would do, were its
  /// stamps not off by seconds under NVIDIA's driver.)
  void enqueue_stamp(cl_event gate, EventHandle& event) const {
    device_.enqueue_fill(stamp_.get(), 0, sizeof(cl_uint), std::byte{0}, gate, event.out());
  }

  const OpenDevice& device_;
  const Buffers& buffers_;
  std::size_t a_;
  std::size_t b_;
  std::size_t c_;
  std::size_t m_;
  std::size_t n_;
  std::size_t k_;
  DType type_;
  BufferHandle stamp_;
};

}  // namespace

std::unique_ptr<Work> make_clblast_matmul(const OpenDevice& device, const Buffers& buffers) {
  if (!clblast().missing.empty()) throw Failure(FailureKind::unsupported, clblast().missing);
  return std::make_unique<ClBlastMatmul>(device, buffers);
}

}  // namespace benchctl::opencl

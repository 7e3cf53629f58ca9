// reduce/vendor: CLBlast's sum, nrm2 and dot.
#include "driver/error.hpp"
#include "vendor/clblast.hpp"
#include "vendor/clblast_work.hpp"

namespace benchctl::opencl {

namespace {

std::string operation_of(const ProblemSpec& spec) {
  const auto found = spec.parameters.find("op");
  const auto* word = found == spec.parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
  if (word == nullptr || (*word != "sum" && *word != "norm" && *word != "dot")) {
    throw Failure(FailureKind::unsupported, "CLBlast is used for op sum, norm and dot");
  }
  return *word;
}

class ClBlastReduce final : public ClBlastWork {
 public:
  ClBlastReduce(const OpenDevice& device, const Buffers& buffers)
      : ClBlastWork(device, buffers, "result"),
        op_(operation_of(buffers.spec())),
        n_(clblast_extent(buffers.spec(), "n")),
        x_(clblast_buffer(buffers.spec(), "x")),
        y_(op_ == "dot" ? clblast_buffer(buffers.spec(), "y") : x_) {
    rehearse();
  }

  // Parts, the join of parts, a time stamp at either end.
  [[nodiscard]] std::uint32_t commands() const override { return 4; }

 private:
  void call(std::uint32_t set, cl_mem result) const override {
    const bool wide = type() == DType::f64;
    if (op_ == "dot") {
      cl_command_queue queue = device().queue.get();
      check_clblast((wide ? clblast().ddot : clblast().sdot)(n_, result, 0, buffers().get(set, x_), 0, 1,
                                                             buffers().get(set, y_), 0, 1, &queue, nullptr),
                    "multiply vectors");
    } else if (op_ == "norm") {
      one_input(wide ? clblast().dnrm2 : clblast().snrm2, set, result, "take a norm");
    } else {
      one_input(wide ? clblast().dsum : clblast().ssum, set, result, "add up a vector");
    }
  }

  template <class Function>
  void one_input(Function function, std::uint32_t set, cl_mem result, const char* doing) const {
    cl_command_queue queue = device().queue.get();
    check_clblast(function(n_, result, 0, buffers().get(set, x_), 0, 1, &queue, nullptr), doing);
  }

  std::string op_;
  std::size_t n_;
  std::size_t x_;
  std::size_t y_;
};

}  // namespace

std::unique_ptr<Work> make_clblast_reduce(const OpenDevice& device, const Buffers& buffers) {
  return std::make_unique<ClBlastReduce>(device, buffers);
}

}  // namespace benchctl::opencl

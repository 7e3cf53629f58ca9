// copy/vendor: the driver's copy within a device.
#pragma once

#include "measure/execution.hpp"

namespace benchctl::cuda {

class PreparedCopy final : public PreparedExecution {
 public:
  explicit PreparedCopy(DeviceProblem& problem)
      : PreparedExecution(problem),
        in_(problem.spec().position_of_buffer("in")),
        out_(problem.spec().position_of_buffer("out")) {}

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"function", "cuMemcpyDtoDAsync"}};
  }

 protected:
  void enqueue(std::uint32_t set) override;
  [[nodiscard]] std::uint32_t operations() const override { return 1; }
  [[nodiscard]] std::string title() const override { return "the driver's copy"; }

 private:
  std::size_t in_;
  std::size_t out_;
};

}  // namespace benchctl::cuda

// transpose/vendor: cuBLAS's geam with one operand.
#pragma once

#include "measure/execution.hpp"

namespace benchctl::cuda {

/// cuBLAS counts in columns: what is row-major to us is its own transpose there, for in and out alike.
class PreparedTranspose final : public PreparedExecution {
 public:
  /// Throws Failure: unsupported when there is no cuBLAS.
  explicit PreparedTranspose(DeviceProblem& problem);

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return blas_.notes();
  }

 protected:
  void enqueue(std::uint32_t set) override;
  [[nodiscard]] std::uint32_t operations() const override { return 1; }
  [[nodiscard]] std::string title() const override { return "cuBLAS's transpose"; }

 private:
  template <class Real, class Geam>
  void transpose(Geam geam, std::uint32_t set);

  CublasHandle& blas_;
  std::size_t in_;
  std::size_t out_;
  int rows_;
  int columns_;
};

}  // namespace benchctl::cuda

// reduce/vendor_blas: cuBLAS's norm and dot product of vectors.
#pragma once

#include "measure/execution.hpp"

namespace benchctl::cuda {

class PreparedBlasReduce final : public PreparedExecution {
 public:
  /// Throws Failure: unsupported when there is no cuBLAS or the operation is neither `norm` nor `dot`.
  explicit PreparedBlasReduce(DeviceProblem& problem);

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return blas_.notes();
  }

 protected:
  void enqueue(std::uint32_t set) override;
  /// A launch for the parts and one to join them.
  [[nodiscard]] std::uint32_t operations() const override { return 2; }
  [[nodiscard]] std::string title() const override { return "cuBLAS's reduction"; }

 private:
  CublasHandle& blas_;
  bool is_dot_ = false;
  bool is_f64_ = false;
  int n_ = 0;
};

}  // namespace benchctl::cuda

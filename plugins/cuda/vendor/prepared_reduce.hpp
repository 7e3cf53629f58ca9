// reduce/vendor: CUB. Only compiled where nvcc was found.
#pragma once

#include "driver/handles.hpp"
#include "measure/execution.hpp"
#include "vendor/cub_reduce.hpp"

#include <vector>

namespace benchctl::cuda {

class PreparedReduce final : public PreparedExecution {
 public:
  /// Throws Failure: unsupported when the CUDA runtime that CUB is linked to does not work with this
  /// driver or GPU, out_of_memory for CUB's temporary memory.
  explicit PreparedReduce(DeviceProblem& problem);
  ~PreparedReduce() override;

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override;

 protected:
  void enqueue(std::uint32_t set) override;
  /// A launch for the parts and one to join them.
  [[nodiscard]] std::uint32_t operations() const override { return 2; }
  [[nodiscard]] std::string title() const override { return "CUB's reduction"; }

 private:
  [[nodiscard]] CubReduction reduction(std::uint32_t set) const;

  CubOp op_ = CubOp::sum;
  std::vector<CubReduction> reductions_;  ///< by set
  std::size_t bytes_ = 0;
  DeviceMemory temporary_;
};

}  // namespace benchctl::cuda

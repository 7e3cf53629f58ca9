// Products of doubles that a description alone does not prepare: matmul/tensor_f64_best, which is
// tensor_f64 or tensor_f64_fed in the tiling that was measured fastest, and tensor_f64_tuned, the quickest
// of several in a trial.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does. A note of the result names the tiling.
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_f64_best(DeviceProblem& problem,
                                                             const PrepareRequest& request);

/// The same; notes also say which were tried, see gpu::quickest.
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_f64_tuned(DeviceProblem& problem,
                                                              const PrepareRequest& request);

}  // namespace benchctl::cuda

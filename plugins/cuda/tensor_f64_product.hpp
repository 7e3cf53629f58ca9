// matmul/tensor_f64_best: the kernel file of `tensor_f64` in the tiling that was measured fastest.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does. A note of the result names the tiling.
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_f64_best(DeviceProblem& problem,
                                                             const PrepareRequest& request);

}  // namespace benchctl::cuda

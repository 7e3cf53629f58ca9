// matmul/tensor_tf32_best and tensor_bf16_best: the tiling is chosen when the product is known.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// A note of the result names the tiling.
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_tf32_best(DeviceProblem& problem,
                                                              const PrepareRequest& request);
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_bf16_best(DeviceProblem& problem,
                                                              const PrepareRequest& request);

}  // namespace benchctl::cuda

// matmul/tensor_tf32_best and tensor_bf16_best: the tiling is chosen when the product is known. And
// tensor_tf32_tuned and tensor_bf16_tuned: the quickest of several in a trial.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// A note of the result names the tiling.
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_tf32_best(DeviceProblem& problem,
                                                              const PrepareRequest& request);
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_bf16_best(DeviceProblem& problem,
                                                              const PrepareRequest& request);

/// Of mma.sync, and of wgmma where the GPU has it; notes also say which were tried, see gpu::quickest.
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_tf32_tuned(DeviceProblem& problem,
                                                               const PrepareRequest& request);
[[nodiscard]] std::unique_ptr<Prepared> make_tensor_bf16_tuned(DeviceProblem& problem,
                                                               const PrepareRequest& request);

}  // namespace benchctl::cuda

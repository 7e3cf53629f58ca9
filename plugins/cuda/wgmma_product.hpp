// matmul/wgmma_tf32 and matmul/wgmma_bf16: kernel files whose matrices A and B are tensor maps.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does.
[[nodiscard]] std::unique_ptr<Prepared> make_wgmma_product(DeviceProblem& problem,
                                                           const PrepareRequest& request);

}  // namespace benchctl::cuda

// matmul/wgmma_*: kernel files whose matrices A and B are tensor maps.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does.
[[nodiscard]] std::unique_ptr<Prepared> make_wgmma_product(DeviceProblem& problem,
                                                           const PrepareRequest& request);

}  // namespace benchctl::cuda

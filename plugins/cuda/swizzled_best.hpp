// transpose/swizzled_best: the kernel file of `swizzled` in the way that fits a matrix
// (gpu/transpose_ways.hpp).
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does. A note of the result names the way.
[[nodiscard]] std::unique_ptr<Prepared> make_swizzled_best(DeviceProblem& problem,
                                                           const PrepareRequest& request);

}  // namespace benchctl::cuda

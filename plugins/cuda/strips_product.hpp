// matmul/strips: the kernel file for products of which C is small beside A or B, in the form that fits a
// size.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does. A note of the result names the form.
[[nodiscard]] std::unique_ptr<Prepared> make_strips(DeviceProblem& problem, const PrepareRequest& request);

}  // namespace benchctl::cuda

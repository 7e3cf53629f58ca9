// matmul/skinny: the kernel file for products of few rows or columns, in the form that fits a size.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does. A note of the result names the form.
[[nodiscard]] std::unique_ptr<Prepared> make_skinny(DeviceProblem& problem, const PrepareRequest& request);

}  // namespace benchctl::cuda

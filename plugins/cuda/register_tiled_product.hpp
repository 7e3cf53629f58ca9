// matmul/register_tiled_best: the kernel file of `register_tiled` in a tiling from the table of winners, or
// that of `skinny` where a product has few rows or columns.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does. Notes of the result name the tiling, and where it was measured,
/// or the form of `skinny`.
[[nodiscard]] std::unique_ptr<Prepared> make_register_tiled_best(DeviceProblem& problem,
                                                                 const PrepareRequest& request);

}  // namespace benchctl::cuda

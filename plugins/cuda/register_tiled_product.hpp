// matmul/register_tiled_best: the kernel file of `register_tiled` in a tiling from the table of winners, or
// that of `skinny` or `strips` where a product has few rows or columns, or a small C. And
// register_tiled_tuned: the quickest of several of them in a trial.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// Throws Failure as PreparedKernel does. Notes of the result name the tiling, and where it was measured,
/// or the form of `skinny` or `strips`.
[[nodiscard]] std::unique_ptr<Prepared> make_register_tiled_best(DeviceProblem& problem,
                                                                 const PrepareRequest& request);
/// The same; notes also say which were tried, see gpu::quickest.
[[nodiscard]] std::unique_ptr<Prepared> make_register_tiled_tuned(DeviceProblem& problem,
                                                                  const PrepareRequest& request);

}  // namespace benchctl::cuda

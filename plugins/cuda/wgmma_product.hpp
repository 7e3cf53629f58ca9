// matmul/wgmma_*: kernel files whose matrices A and B are tensor maps.
#pragma once

#include "gpu/trials.hpp"

#include "narrow.hpp"
#include "table.hpp"

namespace benchctl::cuda {

/// The same kernels in the tiling that is expected to be the fastest, which a note of the result names: of
/// bf16 matrices, of float matrices rounded to tf32, and of float matrices as sums of two in tf32.
[[nodiscard]] std::unique_ptr<Prepared> make_wgmma_bf16_best(DeviceProblem& problem,
                                                             const PrepareRequest& request);
[[nodiscard]] std::unique_ptr<Prepared> make_wgmma_tf32_best(DeviceProblem& problem,
                                                             const PrepareRequest& request);
[[nodiscard]] std::unique_ptr<Prepared> make_wgmma_3xtf32_best(DeviceProblem& problem,
                                                               const PrepareRequest& request);

/// Tilings that are expected to be quickest, `most` at most, for a trial.
[[nodiscard]] std::vector<gpu::Way> wgmma_ways(DeviceProblem& problem, Narrow kind, std::size_t most);

}  // namespace benchctl::cuda

// matmul/register_tiled_best: the kernel of `register_tiled_async`, or of `register_tiled`, in a tiling
// from a table, or `strips` or `skinny` where those are quicker; these in the form that fits a size. And
// register_tiled_tuned: the quickest of several of them in a trial.
#pragma once

#include "table.hpp"

namespace benchctl::opencl {

/// All throw Failure as KernelWork does. Notes of the result name the tiling, or the form.
[[nodiscard]] std::unique_ptr<Work> make_register_tiled_best(const OpenDevice& device,
                                                             const Buffers& buffers,
                                                             const PrepareRequest& request);
/// Of register_tiled_tuned.
[[nodiscard]] std::vector<NamedWork> list_register_tiled_ways(const OpenDevice& device,
                                                              const Buffers& buffers,
                                                              const PrepareRequest& request);
[[nodiscard]] std::unique_ptr<Work> make_strips(const OpenDevice& device, const Buffers& buffers,
                                                const PrepareRequest& request);
[[nodiscard]] std::unique_ptr<Work> make_skinny(const OpenDevice& device, const Buffers& buffers,
                                                const PrepareRequest& request);

}  // namespace benchctl::opencl

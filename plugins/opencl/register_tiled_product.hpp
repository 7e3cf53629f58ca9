// matmul/register_tiled_best: the kernel of `register_tiled_async`, or of `register_tiled`, in a tiling
// from a table, or `skinny` where that is quicker; matmul/skinny in the form that fits a size.
#pragma once

#include "table.hpp"

namespace benchctl::opencl {

/// Both throw Failure as KernelWork does. Notes of the result name the tiling, or the form.
[[nodiscard]] std::unique_ptr<Work> make_register_tiled_best(const OpenDevice& device,
                                                             const Buffers& buffers,
                                                             const PrepareRequest& request);
[[nodiscard]] std::unique_ptr<Work> make_skinny(const OpenDevice& device, const Buffers& buffers,
                                                const PrepareRequest& request);

}  // namespace benchctl::opencl

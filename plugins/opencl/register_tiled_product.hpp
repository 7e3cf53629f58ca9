// matmul/register_tiled_best: the kernel of `register_tiled_async`, or of `register_tiled`, in a tiling
// from a table.
#pragma once

#include "table.hpp"

namespace benchctl::opencl {

/// Throws Failure as KernelWork does. Notes of the result name the tiling.
[[nodiscard]] std::unique_ptr<Work> make_register_tiled_best(const OpenDevice& device,
                                                             const Buffers& buffers,
                                                             const PrepareRequest& request);

}  // namespace benchctl::opencl

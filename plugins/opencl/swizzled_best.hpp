// transpose/swizzled_best: the kernel file of `swizzled` in the way that suits a matrix.
#pragma once

#include "table.hpp"

namespace benchctl::opencl {

/// Throws Failure as KernelWork does. A note of the result names the way.
[[nodiscard]] std::unique_ptr<Work> make_swizzled_best(const OpenDevice& device, const Buffers& buffers,
                                                       const PrepareRequest& request);

}  // namespace benchctl::opencl

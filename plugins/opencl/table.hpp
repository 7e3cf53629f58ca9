// The table of native variants; those of kernel files are in kernels/*.toml.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include "buffers.hpp"
#include "work.hpp"

#include <memory>

namespace benchctl::opencl {

/// Makes a native variant ready. Throws Failure: unsupported when its library is not there.
using MakeNative = std::unique_ptr<Work> (*)(const OpenDevice& device, const Buffers& buffers,
                                             const PrepareRequest& request);

using Table = VariantTable<MakeNative>;

}  // namespace benchctl::opencl

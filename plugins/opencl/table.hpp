// The variant table: one file per workload in variants/ registers its entries.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include "gpu/variants.hpp"

#include "buffers.hpp"
#include "work.hpp"

#include <memory>
#include <vector>

namespace benchctl::opencl {

/// Makes a native variant ready. Throws Failure: unsupported when its library is not there.
using MakeNative = std::unique_ptr<Work> (*)(const OpenDevice& device, const Buffers& buffers,
                                             const PrepareRequest& request);

using Table = VariantTable<MakeNative>;

/// Language of the variants that backends share.
[[nodiscard]] inline gpu::Language language() { return {.suffix = ".cl"}; }

}  // namespace benchctl::opencl

// The variant table: one file per workload in variants/ registers its entries.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include "gpu/variants.hpp"

#include "buffers.hpp"
#include "work.hpp"

#include <memory>

namespace benchctl::vulkan {

/// Makes a native variant ready; null in the table for a source file.
using MakeNative = std::unique_ptr<Work> (*)(const Buffers& buffers);
using Table = VariantTable<MakeNative>;

/// Language of the variants that backends share.
[[nodiscard]] inline gpu::Language language() { return {.suffix = ".comp"}; }

}  // namespace benchctl::vulkan

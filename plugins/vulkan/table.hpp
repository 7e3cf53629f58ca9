// The table of native variants; those of kernel files are in kernels/*.toml.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include "buffers.hpp"
#include "work.hpp"

#include <memory>

namespace benchctl::vulkan {

/// Makes a native variant ready.
using MakeNative = std::unique_ptr<Work> (*)(const Buffers& buffers);
using Table = VariantTable<MakeNative>;

}  // namespace benchctl::vulkan

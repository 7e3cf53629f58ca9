// The variant table.
#pragma once

#include <benchctl/variant.hpp>

#include <span>

namespace benchctl::cuda {

[[nodiscard]] std::span<const VariantInfo> variant_table();

}  // namespace benchctl::cuda

// The variant table: one entry per kernel file, plus the native variants of this build.
#pragma once

#include <benchctl/variant.hpp>

#include <span>

namespace benchctl::opencl {

[[nodiscard]] std::span<const VariantInfo> variants();

}  // namespace benchctl::opencl

// Variants that are functions instead of kernel files. Which of them exist depends on the build.
#pragma once

#include <benchctl/variant.hpp>

#include "buffers.hpp"
#include "work.hpp"

#include <memory>

namespace benchctl::opencl {

/// Table entries of the native variants of this build.
[[nodiscard]] std::vector<VariantInfo> native_variants();
/// Failure unsupported for a variant that is not among them, or whose library is not there.
[[nodiscard]] std::unique_ptr<Work> make_native_work(const VariantInfo& variant, const OpenDevice& device,
                                                     const Buffers& buffers);
/// To be called before a context is released: libraries keep things of it.
void forget_native_work();

}  // namespace benchctl::opencl

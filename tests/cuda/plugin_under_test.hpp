// The CUDA plugin as a test loads it, and plans of its kernels.
#pragma once

#include "support/contents_of.hpp"
#include "support/gpu_plugin.hpp"

#include <filesystem>
#include <string>

namespace benchctl::test {

/// The plugin's backend; skips the running test also when NVRTC cannot be opened.
[[nodiscard]] Backend& compiling_backend();
/// Warns of a failure that only says that NVRTC is older than the architecture (sm_80 is known to all).
/// Throws any other.
void pardon_older_compiler(const Failure& failure, const std::string& architecture);

/// Where the plugin's kernel files are.
[[nodiscard]] std::filesystem::path kernel_folder();

/// What expressions may name of a device.
[[nodiscard]] const Parameters& some_gpu();
/// Do all of the variant's constraints hold? It has a kernel.
[[nodiscard]] bool allowed(const VariantInfo& variant, const Parameters& given);
/// matmul/tiled, evaluated for a product of 16x16 by 16x16 in tiles of 8.
[[nodiscard]] KernelPlan small_product(Backend& backend);

}  // namespace benchctl::test

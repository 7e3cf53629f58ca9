// The CUDA plugin as a test loads it, and plans of its kernels.
#pragma once

#include "support/gpu_plugin.hpp"

#include <filesystem>
#include <string>

namespace benchctl::test {

/// The backend of lib/benchctl/plugins/libbenchctl_cuda.so. Skips the running test when the plugin was not
/// built; fails it when the library is there and does not load.
[[nodiscard]] Backend& cuda_backend();
/// The same; skips when NVRTC cannot be opened.
[[nodiscard]] Backend& compiling_backend();
/// The id of the first GPU; skips the running test, with the backend's reason, when there is none.
[[nodiscard]] std::string first_gpu(Backend& backend);

/// Where the plugin's kernel files are.
[[nodiscard]] std::filesystem::path kernel_folder();

/// All bytes of a file.
[[nodiscard]] std::string file_bytes(const std::filesystem::path& file);

/// The variant of matmul of that name; fails the running test when there is none.
[[nodiscard]] const VariantInfo& matmul_variant(Backend& backend, const std::string& name);
/// The variant's kernel evaluated for a problem, as the engine does it.
[[nodiscard]] KernelPlan plan_for(const VariantInfo& variant, const ProblemSpec& problem,
                                  const Parameters& tunables);

}  // namespace benchctl::test

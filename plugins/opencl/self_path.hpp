// Where this shared library lies, and what lies beside it.
#pragma once

#include <filesystem>

namespace benchctl::opencl {

/// The folder of the plugin: <root>/lib/benchctl/plugins.
[[nodiscard]] std::filesystem::path plugin_directory();
/// `kernels/opencl` in it.
[[nodiscard]] std::filesystem::path kernel_directory();

}  // namespace benchctl::opencl

// Where this shared library lies, and what lies beside it.
#pragma once

#include <filesystem>

namespace benchctl::gpu {

/// The folder of the plugin that this is compiled into: <root>/lib/benchctl/plugins.
[[nodiscard]] std::filesystem::path plugin_directory();

}  // namespace benchctl::gpu

// Where shared libraries lie, and what lies beside this one.
#pragma once

#include <filesystem>

namespace benchctl::gpu {

/// The shared library that has this function; empty if none has.
[[nodiscard]] std::filesystem::path library_of(const void* address);

/// The folder of the plugin that this is compiled into: <root>/lib/benchctl/plugins.
[[nodiscard]] std::filesystem::path plugin_directory();

}  // namespace benchctl::gpu

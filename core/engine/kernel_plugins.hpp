// Kernels that tables describe: those beside a plugin's library, and plugins that are nothing else.
#pragma once

#include "plugins/plugin_table.hpp"

#include <filesystem>
#include <vector>

namespace benchctl {

/// Adds what the tables beside the library describe, behind which comes what the library has itself: a
/// vendor's library is the last of a workload. Throws ConfigErrors and std::runtime_error.
void add_tables(PluginEntry& entry);

/// Takes a plugin of kernels: a folder `kernels/NAME` whose `common.toml` names the backend that its
/// kernels are for. Refuses it with the reason if its tables have errors, or the backend is not among
/// `plugins` or has such a variant already. A folder that names no backend is left alone.
void add_kernel_plugin(PluginTable& plugins, const std::filesystem::path& folder);

/// All of these folders of plugins. To be called after the plugins that are libraries.
void add_kernel_plugins(PluginTable& plugins, const std::vector<std::filesystem::path>& folders);

}  // namespace benchctl

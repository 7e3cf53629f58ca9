// Finding and loading plugins. A library that cannot be used is refused with a sentence that says why;
// the others still work.
#pragma once

#include <benchctl/plugin.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace benchctl {

struct LoadedPlugin {
  PluginInfo info;
  std::filesystem::path library;
  std::filesystem::path kernel_directory;  ///< `kernels/<name>` beside the library
  Backend* backend = nullptr;              ///< owned by the plugin; null: it only observes
  Observer* observer = nullptr;            ///< owned by the plugin; null: it observes nothing
  std::shared_ptr<void> keep_alive;        ///< the plugin object and its library, in that order
};

struct RefusedPlugin {
  std::filesystem::path library;
  std::string name;  ///< what its file name promises: `cuda` for libbenchctl_cuda.so
  std::string reason;
};

/// Folders in which plugins are looked for, first match wins: `extra` (from --plugin-path), then
/// BENCHCTL_PLUGIN_PATH, then `plugins` beside the executable, then `../lib/benchctl/plugins`. Never
/// the current directory unless it is named: empty entries of the environment variable are left out. Throws
/// std::runtime_error where the variable names a folder that is not there.
[[nodiscard]] std::vector<std::filesystem::path> plugin_search_path(
    const std::vector<std::filesystem::path>& extra);

/// The files in these folders that are called as plugins are, folder by folder, by name. Opens none.
[[nodiscard]] std::vector<std::filesystem::path> plugin_libraries(
    const std::vector<std::filesystem::path>& folders);

/// The folders `kernels/NAME` in these that have a `common.toml` and no library of that name beside
/// `kernels`: plugins of kernels, if that names a backend. Folder by folder, by name.
[[nodiscard]] std::vector<std::filesystem::path> kernel_folders(
    const std::vector<std::filesystem::path>& folders);

/// `cuda` for libbenchctl_cuda.so, the whole file name for others.
[[nodiscard]] std::string promised_name(const std::filesystem::path& library);
/// The reverse: `libbenchctl_cuda.so` for `cuda`.
[[nodiscard]] std::string library_name(const std::string& plugin);
/// `kernels/<name>` beside the library.
[[nodiscard]] std::filesystem::path kernel_directory_of(const std::filesystem::path& library,
                                                        const std::string& name);
/// Why a plugin cannot say this of itself; empty: it can.
[[nodiscard]] std::string info_problem(const PluginInfo& info);
/// Why this file is not to be opened as a plugin; empty: it may be. Looks at the file, not into it.
[[nodiscard]] std::string file_problem(const std::filesystem::path& library);

/// Why host and plugin do not fit, or an empty text if they do. Pure, so that every rule is tested.
[[nodiscard]] std::string abi_mismatch(const AbiStamp& host, const AbiStamp& plugin);

class PluginHost {
 public:
  /// Loads every `libbenchctl_*.so` of the folders. If two plugins have one name, the first is taken.
  [[nodiscard]] static PluginHost load(const std::vector<std::filesystem::path>& folders);

  /// Only these libraries; their file names do not matter.
  [[nodiscard]] static PluginHost load_libraries(const std::vector<std::filesystem::path>& libraries);

  [[nodiscard]] const std::vector<LoadedPlugin>& plugins() const noexcept { return plugins_; }
  [[nodiscard]] const std::vector<RefusedPlugin>& refused() const noexcept { return refused_; }
  /// The plugin of that name, or null.
  [[nodiscard]] const LoadedPlugin* find(std::string_view name) const;

 private:
  void load_library(const std::filesystem::path& library);

  std::vector<LoadedPlugin> plugins_;
  std::vector<RefusedPlugin> refused_;
};

}  // namespace benchctl

// What plugins say of themselves, as data. The coordinator knows plugins by this alone and holds none of
// their code: a library that crashes, hangs or ends the process when it is loaded does so in a worker.
#pragma once

#include "plugins/plugin_host.hpp"

namespace benchctl {

struct PluginEntry {
  PluginInfo info;
  std::filesystem::path library;           ///< the folder of kernels, where that is the plugin
  std::filesystem::path kernel_directory;  ///< `kernels/<name>` beside the library
  std::string digest;                      ///< digest of the library's bytes, or of the folder's
  std::string extends = {};                ///< the backend that has the variants of a plugin of kernels
  bool is_backend = false;
  bool is_observer = false;
  bool compiles_offline = false;      ///< backends only
  std::vector<VariantInfo> variants;  ///< not of observers; describe() tells those of the library alone
  /// Files that describe its kernels, relative to the library's folder.
  std::vector<std::filesystem::path> tables = {};
  std::vector<ReadingInfo> readings;  ///< observers only
};

/// A plugin that is not there: left out of the build, as the build noted in `left_out.txt` beside the
/// others, or a backend of this tree whose library is in none of the folders.
struct LeftOutPlugin {
  std::string name;
  std::string reason;
};

/// The backends that this tree has, built or not.
[[nodiscard]] std::vector<std::string> backends_of_tree();

/// What a loaded plugin says of itself. Calls its `variants` and `readings`; starts no driver.
[[nodiscard]] PluginEntry describe(const LoadedPlugin& plugin);

class PluginTable {
 public:
  /// Takes a plugin; refuses one whose name is not usable or was taken before, or whose kernels or tables
  /// of kernels somebody else may write.
  void add(PluginEntry entry);
  void refuse(const std::filesystem::path& library, const std::string& reason);
  /// Notes the plugins that are neither taken nor refused. To be called after those, with all folders that
  /// were searched.
  void note_left_out(const std::vector<std::filesystem::path>& folders);

  [[nodiscard]] const std::vector<PluginEntry>& plugins() const noexcept { return plugins_; }
  [[nodiscard]] const std::vector<RefusedPlugin>& refused() const noexcept { return refused_; }
  [[nodiscard]] const std::vector<LeftOutPlugin>& left_out() const noexcept { return left_out_; }
  /// The plugin of that name, or null.
  [[nodiscard]] const PluginEntry* find(std::string_view name) const;

 private:
  void leave_out(const std::string& name, const std::string& reason);

  std::vector<PluginEntry> plugins_;
  std::vector<RefusedPlugin> refused_;
  std::vector<LeftOutPlugin> left_out_;
};

}  // namespace benchctl

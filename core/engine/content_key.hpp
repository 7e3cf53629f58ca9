// The content key of a point: equal keys mean that a stored measurement is as good as a new one. What goes
// into a key is part of what schema_version stands for (store/schema.hpp).
#pragma once

#include "model/point.hpp"
#include "plugins/plugin_table.hpp"
#include "sweep/catalogue.hpp"
#include "workloads/workload.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace benchctl {

/// A hash over a kernel source and everything it includes with `#include "…"`, found relative to the
/// including file. A missing file counts as such and does not throw: the compiler will say so.
[[nodiscard]] std::string hash_source(const std::filesystem::path& file);
/// A hash over the names and contents of all files in a folder and below. A folder that is not there has
/// one, too.
[[nodiscard]] std::string hash_folder(const std::filesystem::path& folder);

/// Makes keys; remembers the hashes of sources.
class ContentKeys {
 public:
  /// `environment`: what of the worker's environment makes a difference, as text.
  ContentKeys(const Workloads& workloads, std::string environment)
      : workloads_(workloads), environment_(std::move(environment)) {}

  /// Covers workload contract, kernel sources (of a native variant: all of its backend), tunables, plugin
  /// build, device identity, driver, compiler, worker environment and measure settings. The backend must
  /// have the point's variant.
  [[nodiscard]] std::string key(const Point& point, const Lane& lane, const BackendEntry& backend,
                                const PluginEntry& plugin, bool device_debug);

 private:
  /// What is the same for all points of a variant on a lane, hashed once.
  [[nodiscard]] const std::string& common_part(const Lane& lane, const VariantInfo& variant,
                                               const BackendEntry& backend, const PluginEntry& plugin);

  const Workloads& workloads_;
  std::string environment_;
  std::map<std::string, std::string> common_;
  std::map<std::filesystem::path, std::string> sources_;
};

}  // namespace benchctl

#include "engine/kernel_plugins.hpp"

#include "config/kernel_tables.hpp"
#include "engine/content_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

bool is_among(const VariantInfo& variant, const std::vector<VariantInfo>& others) {
  return std::ranges::any_of(others, [&](const VariantInfo& other) {
    return other.workload == variant.workload && other.name == variant.name;
  });
}

/// Throws ConfigErrors and std::runtime_error.
PluginEntry kernel_plugin(const PluginTable& plugins, const fs::path& folder, const std::string& backend) {
  const PluginEntry* extended = plugins.find(backend);
  if (extended == nullptr || !extended->is_backend)
    throw std::runtime_error(fmt::format("its tables are for backend '{}', which is not here", backend));
  KernelTables tables = read_kernel_tables(folder, backend);
  for (VariantInfo& variant : tables.variants) {
    for (const PluginEntry& other : plugins.plugins()) {
      if (other.info.name != backend && other.extends != backend) continue;
      if (!is_among(variant, other.variants)) continue;
      throw std::runtime_error(fmt::format("plugin '{}' has a variant {}/{} for backend '{}', too",
                                           other.info.name, variant.workload, variant.name, backend));
    }
    if (!variant.kernel) continue;
    // Absolute: those of the backend's other variants are in its own folder.
    for (LaunchSpec& launch : variant.kernel->launches) launch.source = (folder / launch.source).string();
  }
  PluginEntry entry;
  entry.info = {folder.filename().string(), "Kernels for " + backend, "tables", "for " + backend};
  entry.library = folder;
  entry.kernel_directory = folder;
  entry.digest = hash_folder(folder);
  entry.extends = backend;
  entry.variants = std::move(tables.variants);
  for (const fs::path& file : tables.files)
    entry.tables.push_back(file.lexically_relative(folder.parent_path()));
  return entry;
}

}  // namespace

void add_tables(PluginEntry& entry) {
  if (!entry.is_backend) return;
  KernelTables tables = read_kernel_tables(entry.kernel_directory, entry.info.name);
  if (tables.files.empty()) return;
  for (const VariantInfo& own : entry.variants) {
    if (!is_among(own, tables.variants)) continue;
    throw std::runtime_error(
        fmt::format("its library and its tables both have a variant {}/{}", own.workload, own.name));
  }
  std::ranges::move(entry.variants, std::back_inserter(tables.variants));
  std::ranges::stable_sort(tables.variants, {}, &VariantInfo::workload);
  entry.variants = std::move(tables.variants);
  for (const fs::path& file : tables.files)
    entry.tables.push_back(file.lexically_relative(entry.library.parent_path()));
}

void add_kernel_plugin(PluginTable& plugins, const fs::path& folder) {
  try {
    const std::string backend = backend_of_tables(folder);
    if (!backend.empty()) plugins.add(kernel_plugin(plugins, folder, backend));
  } catch (const std::runtime_error& error) {
    plugins.refuse(folder, error.what());
  }
}

void add_kernel_plugins(PluginTable& plugins, const std::vector<fs::path>& folders) {
  for (const fs::path& folder : kernel_folders(folders)) add_kernel_plugin(plugins, folder);
}

}  // namespace benchctl

#include "plugins/plugin_table.hpp"

#include "model/words.hpp"
#include "plugins/trusted_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace benchctl {

namespace fs = std::filesystem;

std::vector<std::string> backends_of_tree() {
  std::vector<std::string> names;
  std::istringstream words(BENCHCTL_BACKENDS);
  for (std::string name; words >> name;) names.push_back(name);
  return names;
}

PluginEntry describe(const LoadedPlugin& plugin) {
  PluginEntry entry;
  entry.info = plugin.info;
  entry.library = plugin.library;
  entry.kernel_directory = plugin.kernel_directory;
  entry.is_backend = plugin.backend != nullptr;
  entry.is_observer = plugin.observer != nullptr;
  if (plugin.backend != nullptr) {
    entry.compiles_offline = plugin.backend->compiles_offline();
    const auto variants = plugin.backend->variants();
    entry.variants.assign(variants.begin(), variants.end());
  }
  if (plugin.observer != nullptr) {
    const auto readings = plugin.observer->readings();
    entry.readings.assign(readings.begin(), readings.end());
  }
  return entry;
}

void PluginTable::add(PluginEntry entry) {
  std::string problem = info_problem(entry.info);
  if (problem.empty()) problem = distrust_of_all(entry.kernel_directory);
  for (const fs::path& table : entry.tables) {
    if (problem.empty()) problem = distrust_of(entry.library.parent_path() / table);
  }
  if (!problem.empty()) return refuse(entry.library, problem);
  if (const PluginEntry* other = find(entry.info.name)) {
    return refuse(entry.library,
                  fmt::format("plugin '{}' was found already: {}", entry.info.name, other->library));
  }
  plugins_.push_back(std::move(entry));
}

void PluginTable::refuse(const fs::path& library, const std::string& reason) {
  refused_.push_back({library, promised_name(library), reason});
}

void PluginTable::leave_out(const std::string& name, const std::string& reason) {
  const bool is_known = find(name) != nullptr ||
                        std::ranges::find(refused_, name, &RefusedPlugin::name) != refused_.end() ||
                        std::ranges::find(left_out_, name, &LeftOutPlugin::name) != left_out_.end();
  if (!is_known) left_out_.push_back({name, reason});
}

void PluginTable::note_left_out(const std::vector<fs::path>& folders) {
  if (folders.empty()) return;
  std::vector<std::string> searched;
  for (const fs::path& folder : folders) {
    if (std::error_code ignored; fs::is_directory(folder, ignored)) searched.push_back(folder.string());
    std::ifstream in(folder / "left_out.txt");
    for (std::string line; std::getline(in, line);) {
      const std::size_t bar = line.find('|');
      if (bar != std::string::npos) leave_out(line.substr(0, bar), line.substr(bar + 1));
    }
  }
  for (const std::string& name : backends_of_tree()) {
    leave_out(
        name,
        fmt::format("{} is in no plugin folder ({}): build or install it, or name its folder with "
                    "--plugin-path",
                    library_name(name),
                    searched.empty() ? "there are none" : fmt::format("{}", fmt::join(searched, ", "))));
  }
}

const PluginEntry* PluginTable::find(std::string_view name) const {
  for (const PluginEntry& plugin : plugins_) {
    if (plugin.info.name == name) return &plugin;
  }
  return nullptr;
}

}  // namespace benchctl

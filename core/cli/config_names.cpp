#include "cli/config_names.hpp"

#include "cli/command.hpp"
#include "config/config.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".toml";
/// Holds policies of `compare`.
constexpr std::string_view gate_folder = "gates/";

std::string last_part(const std::string& name) { return name.substr(name.find_last_of('/') + 1); }

/// Names that were probably meant: nearest as a whole, or by what follows the last slash.
std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& names) {
  std::vector<std::string> nearest;
  if (const auto whole = nearest_name(name, names)) nearest.push_back(*whole);
  std::vector<std::string> parts;
  for (const std::string& other : names) parts.push_back(last_part(other));
  const auto part = nearest_name(last_part(name), parts);
  for (std::size_t i = 0; part && i < names.size(); ++i) {
    if (parts[i] == *part && std::ranges::find(nearest, names[i]) == nearest.end())
      nearest.push_back(names[i]);
  }
  return nearest;
}

/// The name of the config in the source tree's folder, which an installation has elsewhere:
/// `configs/tile_sweep.toml` is `tile_sweep`.
std::string name_of_path(std::string path) {
  constexpr std::string_view tree = "configs/";
  if (path.starts_with(tree)) path.erase(0, tree.size());
  return fs::path(path).replace_extension().string();
}

}  // namespace

fs::path config_folder() {
  return own_program().parent_path().parent_path() / "share" / "benchctl" / "configs";
}

std::vector<std::string> config_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  const auto follow = fs::directory_options::follow_directory_symlink;
  for (auto entry = fs::recursive_directory_iterator(folder, follow, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != extension) continue;
    std::string name = entry->path().lexically_relative(folder).replace_extension().string();
    if (!name.starts_with(gate_folder)) names.push_back(std::move(name));
  }
  std::ranges::sort(names, {}, [](const std::string& name) {
    return std::pair(name.find('/') != std::string::npos, std::string_view(name));
  });
  return names;
}

std::string find_config(const std::string& name, const fs::path& folder) {
  std::error_code error;
  const bool is_path = name == standard_input || name.empty() || name.front() == '/' ||
                       name.front() == '.' || name.ends_with(extension);
  if (fs::exists(name, error) && (is_path || !fs::is_directory(name, error))) return name;
  const std::vector<std::string> names = config_names(folder);
  if (is_path) {
    const std::string installed = name_of_path(name);
    if (!name.ends_with(extension) || std::ranges::find(names, installed) == names.end()) return name;
    throw UsageError(fmt::format("there is no file '{}' here; the installed config of that name is '{}'",
                                 name, installed));
  }
  if (std::ranges::find(names, name) != names.end())
    return (folder / (name + std::string(extension))).string();
  const std::vector<std::string> nearest = nearest_names(name, names);
  throw UsageError(fmt::format(
      "there is no file '{0}' here and no installed config of that name{1}; `benchctl list --configs` "
      "lists the "
      "installed "
      "ones, a file of your own is given as ./{0}",
      name, nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", fmt::join(nearest, "' or '"))));
}

std::string find_config(const std::string& name) { return find_config(name, config_folder()); }

}  // namespace benchctl::cli

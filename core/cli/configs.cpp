#include "cli/selection.hpp"

#include "cli/terminal.hpp"
#include "model/words.hpp"
#include "plugins/trusted_path.hpp"
#include "report/text_table.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr std::string_view extension = ".toml";

fs::path config_folder() { return shared_file("configs"); }

std::string installed_file(const std::string& name) {
  return (config_folder() / (name + std::string(extension))).string();
}

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

/// Names of the installed configs, without `.toml`: `tile_sweep`, `limits/sgemm`. Those of the folder
/// itself first, then those of folders in it, each part in the order of the alphabet. Policies of `compare`
/// (in `gates/`) are left out.
std::vector<std::string> config_names() {
  const fs::path folder = config_folder();
  std::vector<std::string> names;
  std::error_code error;
  const auto follow = fs::directory_options::follow_directory_symlink;
  for (auto entry = fs::recursive_directory_iterator(folder, follow, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != extension) continue;
    std::string name = entry->path().lexically_relative(folder).replace_extension().string();
    if (!name.starts_with("gates/")) names.push_back(std::move(name));
  }
  std::ranges::sort(names, {}, [](const std::string& name) {
    return std::pair(name.find('/') != std::string::npos, std::string_view(name));
  });
  return names;
}

}  // namespace

std::string find_config(const std::string& name) {
  std::error_code error;
  const bool is_path = name == standard_input || name.empty() || name.front() == '/' ||
                       name.front() == '.' || name.ends_with(extension);
  if (fs::exists(name, error) && (is_path || !fs::is_directory(name, error))) return name;
  const std::vector<std::string> names = config_names();
  const auto is_installed = [&](const std::string& one) {
    return std::ranges::find(names, one) != names.end();
  };
  if (is_path) {
    // The source tree's folder, which an installation has elsewhere: `configs/tile_sweep.toml`.
    constexpr std::string_view tree = "configs/";
    const std::string file = name.starts_with(tree) ? name.substr(tree.size()) : name;
    const std::string installed = fs::path(file).replace_extension().string();
    if (!name.ends_with(extension) || !is_installed(installed)) return name;
    throw UsageError(fmt::format("there is no file '{}' here; the installed config of that name is '{}'",
                                 visible(name), installed));
  }
  if (is_installed(name)) return installed_file(name);
  const std::vector<std::string> nearest = nearest_names(name, names);
  throw UsageError(fmt::format(
      "there is no file '{0}' here and no installed config of that name{1}; `benchctl list --configs` "
      "lists the installed ones, a file of your own is given as ./{0}",
      visible(name),
      nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", fmt::join(nearest, "' or '"))));
}

void tell_foreign_owner(const std::vector<fs::path>& files, bool allow_outside) {
  for (const fs::path& one : files) {
    const std::string reason = foreign_owner_of(one);
    if (reason.empty()) continue;
    if (geteuid() == 0 && !allow_outside) {
      throw UsageError(
          reason +
          ". --allow-outside permits it: a kernel on a processor is native code, and you are root");
    }
    return tell("benchctl: {}\n", reason);
  }
}

Config read_config(const std::string& name, bool allow_outside) {
  const std::string file = find_config(name);
  Config config = load_config(file, allow_outside);
  std::vector<fs::path> files{file};
  for (const KernelEntry& kernel : config.kernels) {
    if (kernel.has_text) continue;
    for (const SourceFile& source : kernel.files) files.push_back(kernel.folder / source.name);
  }
  for (const SourceFile& data : config.data_files) files.push_back(config.files.folder / data.name);
  tell_foreign_owner(files, allow_outside);
  return config;
}

void list_configs(bool as_json) {
  const std::vector<std::string> names = config_names();
  if (names.empty()) {
    throw UsageError(
        fmt::format("there are no configs in {}: this program was installed without them; `benchctl run "
                    "FILE` takes your own",
                    config_folder()));
  }
  TextTable table({TextColumn::named("config"), TextColumn::named("title")});
  json rows = json::array();
  for (const std::string& name : names) {
    const std::string file = installed_file(name);
    std::string title;
    try {
      title = load_config(file).experiment.title;
    } catch (const ConfigErrors& errors) {
      title = "cannot be read: " + errors.diagnostics().front().message;
    }
    table.add({name, title});
    rows.push_back({{"name", name}, {"file", file}, {"title", title}});
  }
  if (as_json) return write_json(json{{"configs", rows}});
  print_fitted(
      "{}\n`benchctl plan CONFIG` shows its points and their time on this machine, `benchctl run CONFIG` "
      "measures it, from any folder.\n",
      table.text(false, text_width(STDOUT_FILENO)));
}

}  // namespace benchctl::cli

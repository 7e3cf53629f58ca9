#include "cli/configs.hpp"

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "model/words.hpp"
#include "plugins/trusted_path.hpp"
#include "report/text_table.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/expand.hpp"
#include "sweep/search.hpp"
#include "sweep/validate.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
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

struct ConfigRow {
  std::string name;
  std::string file;
  std::string title = {};
  PlanTotals totals = {};
  std::uint64_t searched = 0;  ///< points that searches try at most
  std::string problem = {};    ///< why it cannot be read or planned; empty: it can
};

/// Common to the plans of all configs.
struct Machine {
  Catalogue catalogue;
  LaneTable lanes;
};

void plan(ConfigRow& row, const Config& config, const Machine& machine) {
  Catalogue catalogue = machine.catalogue;
  add_own_kernels(catalogue, config);
  const std::vector<Diagnostic> diagnostics = validate(config, catalogue);
  if (has_errors(diagnostics)) throw ConfigErrors(diagnostics);
  row.totals = plan_totals(expand(config, catalogue, machine.lanes).points);
  const Searches searches = make_searches(config, catalogue, machine.lanes);
  for (const auto& task : searches.tasks) row.searched += task->max_points();
}

/// A row for every installed config; a config that is wrong costs its own row only. Without a machine:
/// titles alone.
std::vector<ConfigRow> make_rows(const std::vector<std::string>& names,
                                 const std::optional<Machine>& machine) {
  std::vector<ConfigRow> rows;
  for (const std::string& name : names) {
    ConfigRow row{.name = name, .file = installed_file(name)};
    try {
      const Config config = load_config(row.file);
      row.title = config.experiment.title;
      if (machine) plan(row, config, *machine);
    } catch (const ConfigErrors& errors) {
      row.problem = errors.diagnostics().front().message;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Seconds as one plans a day with them: `45 s`, `12 min`, `3 h`.
std::string rough_time(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

void print_text(const std::vector<ConfigRow>& rows, bool planned) {
  std::vector<TextColumn> columns{TextColumn::named("config")};
  if (planned) {
    for (const char* title : {"points", "ruled out", "predicted time"})
      columns.push_back(TextColumn::named(title, true));
  }
  columns.push_back(TextColumn::named("title"));
  TextTable table(columns);
  for (const ConfigRow& row : rows) {
    std::vector<std::string> cells{row.name};
    const PlanTotals& totals = row.totals;
    if (planned && row.problem.empty()) {
      cells.push_back(fmt::format("{}{}", totals.to_measure,
                                  row.searched > 0 ? fmt::format(" + {} searched", row.searched) : ""));
      cells.push_back(std::to_string(totals.ruled_out));
      cells.push_back(totals.to_measure == 0 ? "–"
                                             : fmt::format("{} to {}", rough_time(totals.least_seconds),
                                                           rough_time(totals.most_seconds)));
    } else if (planned) {
      cells.insert(cells.end(), 3, "–");
    }
    cells.push_back(row.problem.empty() ? row.title : "cannot be planned: " + row.problem);
    table.add(std::move(cells));
  }
  print_fitted("{}\n", table.text(false, text_width(STDOUT_FILENO)));
  if (planned) {
    print_fitted(
        "Points are those that this machine can measure; times are without compilation. `benchctl plan "
        "CONFIG` lists them with the reasons of those that are ruled out.\n");
  }
  print_fitted("`benchctl run CONFIG` measures one, from any folder.\n");
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

json to_json(const std::vector<ConfigRow>& rows, bool planned) {
  json documents = json::array();
  for (const ConfigRow& row : rows) {
    json document{{"name", row.name}, {"file", row.file}, {"title", row.title}};
    if (!row.problem.empty()) {
      document["problem"] = row.problem;
    } else if (planned) {
      document["points"] = row.totals.to_measure;
      document["ruled_out"] = row.totals.ruled_out;
      document["searched_points"] = row.searched;
      document["predicted_seconds"] = {{"least", row.totals.least_seconds},
                                       {"most", row.totals.most_seconds}};
    }
    documents.push_back(std::move(document));
  }
  return {{"configs", documents}};
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

void list_configs(const Common& common, bool brief, bool as_json) {
  const std::vector<std::string> names = config_names();
  if (names.empty()) {
    throw UsageError(
        fmt::format("there are no configs in {}: this program was installed without them; `benchctl run "
                    "FILE` takes your own",
                    config_folder()));
  }
  std::optional<Machine> machine;
  if (!brief) {
    constexpr double probe_timeout_seconds = 60;
    Workers workers;
    const PluginTable plugins = workers.plugins(common);
    machine.emplace(Machine{make_catalogue(plugins),
                            probe_lanes(plugins, workers.factory(), {}, probe_timeout_seconds)});
  }
  const std::vector<ConfigRow> rows = make_rows(names, machine);
  as_json ? write_json(to_json(rows, !brief)) : print_text(rows, !brief);
}

}  // namespace benchctl::cli

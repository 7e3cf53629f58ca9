#include "cli/configs.hpp"

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "model/suggest.hpp"
#include "report/text_table.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/expand.hpp"
#include "sweep/search.hpp"
#include "sweep/validate.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

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

struct ConfigRow {
  std::string name;
  std::string file;
  std::string title;
  PlanTotals totals;
  std::uint64_t searched = 0;  ///< points that searches try at most
  std::string problem;         ///< why it cannot be read or planned; empty: it can
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

/// A row for every installed config; a config that is wrong costs its own row only. `machine` null: titles
/// alone.
std::vector<ConfigRow> make_rows(const std::filesystem::path& folder, const Machine* machine) {
  std::vector<ConfigRow> rows;
  for (const std::string& name : config_names(folder)) {
    ConfigRow row;
    row.name = name;
    row.file = (folder / (name + ".toml")).string();
    try {
      const Config config = load_config(row.file);
      row.title = config.experiment.title;
      if (machine != nullptr) plan(row, config, *machine);
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

std::string points_text(const ConfigRow& row) {
  if (!row.problem.empty()) return "–";
  const std::string searches = row.searched > 0 ? fmt::format(" + {} searched", row.searched) : "";
  return fmt::format("{}{}", row.totals.to_measure, searches);
}

std::string time_text(const ConfigRow& row) {
  if (!row.problem.empty() || row.totals.to_measure == 0) return "–";
  return fmt::format("{} to {}", rough_time(row.totals.least_seconds), rough_time(row.totals.most_seconds));
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
    if (planned) {
      cells.push_back(points_text(row));
      cells.push_back(row.problem.empty() ? std::to_string(row.totals.ruled_out) : "–");
      cells.push_back(time_text(row));
    }
    cells.push_back(row.problem.empty() ? row.title : "cannot be planned: " + row.problem);
    table.add(std::move(cells));
  }
  print_fitted("{}\n", table.text(false, text_width(STDOUT_FILENO)));
  if (planned) {
    print_fitted(
        "Points are those that this machine can measure; times are without compilation. `benchctl plan "
        "CONFIG` lists "
        "them with the reasons of those that are ruled out.\n");
  }
  print_fitted("`benchctl run CONFIG` measures one, from any folder.\n");
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

void list_configs(const Common& common, bool brief, bool as_json) {
  const std::filesystem::path folder = config_folder();
  if (config_names(folder).empty()) {
    throw UsageError(
        fmt::format("there are no configs in {}: this program was installed without them; `benchctl run "
                    "FILE` takes your own",
                    folder.string()));
  }
  std::unique_ptr<Machine> machine;
  if (!brief) {
    constexpr double probe_timeout_seconds = 60;
    Workers workers;
    const PluginTable plugins = workers.plugins(common);
    machine = std::make_unique<Machine>(Machine{
        make_catalogue(plugins), probe_lanes(plugins, workers.factory(), {}, probe_timeout_seconds)});
  }
  const std::vector<ConfigRow> rows = make_rows(folder, machine.get());
  if (as_json) {
    std::cout << to_json(rows, !brief).dump(2) << '\n';
  } else {
    print_text(rows, !brief);
  }
}

}  // namespace benchctl::cli

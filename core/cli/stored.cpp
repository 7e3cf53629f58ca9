// `benchctl show` and `export`: a run of the store.
#include "cli/stored.hpp"

#include "cli/terminal.hpp"
#include "report/export.hpp"
#include "report/table.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

const Store& opened(NamedRuns& found, const fs::path& file) {
  const fs::path absolute = fs::absolute(file).lexically_normal();
  for (const auto& store : found.stores) {
    if (store->path().lexically_normal() == absolute) return *store;
  }
  found.stores.push_back(std::make_unique<Store>(Store::open(file, Store::Access::read_only)));
  return *found.stores.back();
}

void add_source(NamedRuns& found, const Store& store, RunId run) {
  const auto same = [&](const ReportSource& source) { return source.store == &store && source.run == run; };
  if (std::ranges::none_of(found.sources, same)) found.sources.push_back({&store, run});
}

/// False if the store has no such run.
bool add_named(NamedRuns& found, const Store& store, const std::string& name) {
  if (name == "all") {
    std::vector<RunRow> runs = store.runs();
    std::ranges::reverse(runs);
    for (const RunRow& run : runs) add_source(found, store, run.id);
    return !runs.empty();
  }
  const auto run = store.find_named(name);
  if (run) add_source(found, store, *run);
  return run.has_value();
}

[[noreturn]] void refuse_run(const std::string& name, const std::string& where) {
  throw UsageError(fmt::format(
      "'{}' names no run in {}; `benchctl runs` lists them. A run is its number, the name of a baseline, "
      "`all`, or FILE:RUN for another store",
      name, where));
}

/// One run: of the store, unless the name says another; without a name the newest. Throws UsageError.
NamedRuns open_run(const Common& common, const std::string& name) {
  NamedRuns found = open_runs({common.store_file().string()},
                              name.empty() ? std::vector<std::string>{} : std::vector{name});
  if (found.sources.size() != 1) throw UsageError(fmt::format("'{}' names several runs: name one", name));
  return found;
}

/// Below the folder, whatever their names say: a file that stood above the config goes into `up`.
void write_files(const std::vector<RunFile>& files, const fs::path& folder) {
  for (const RunFile& file : files) {
    fs::path inside = folder;
    for (const fs::path& part : fs::path(file.name).relative_path()) inside /= part == ".." ? "up" : part;
    fs::create_directories(inside.parent_path());
    write_output(file.contents, inside.string());
  }
}

struct StoredArguments {
  std::string run;
  std::string format;
  std::string file;
  std::string folder;
  bool all = false;
  bool published = false;
  bool samples = false;
};

void add_run_options(CLI::App& command, Common& common, StoredArguments& options,
                     const std::vector<std::string>& formats) {
  add_value(command, "run", options.run, "RUN",
            "Number of a run, name of a baseline, or FILE:RUN for another store (default: the newest)");
  add_store_option(command, common);
  add_format_option(command, options.format, formats);
}

void show_run(Common& common, const StoredArguments& options) {
  const NamedRuns runs = open_run(common, options.run);
  const auto& [store, run] = runs.sources.front();
  if (options.format == "json") {
    std::cout << report_json(make_report(*store, run), {});
  } else {
    std::cout << result_table(*store, run,
                              {.markdown = options.format == "markdown",
                               .colours = colours_on(STDOUT_FILENO),
                               .all = options.all,
                               .published = options.published,
                               .width = options.format == "text" ? text_width(STDOUT_FILENO) : 0});
  }
}

void export_run(Common& common, const StoredArguments& options) {
  if (options.samples && options.format != "json")
    throw UsageError("--samples: raw samples are exported as JSON; add --format json");
  const NamedRuns runs = open_run(common, options.run);
  const auto& [store, run] = runs.sources.front();
  if (!options.folder.empty()) write_files(store->files(run), options.folder);
  const Report report = make_report(*store, run);
  write_output(options.format == "json" ? report_json(report, {.title = {}, .samples = options.samples})
                                        : report_csv(report),
               options.file);
}

}  // namespace

NamedRuns open_runs(const std::vector<std::string>& stores, const std::vector<std::string>& names) {
  NamedRuns found;
  const auto add_newest = [&](const Store& store) { add_source(found, store, run_in(store, "").id); };
  if (names.empty()) {
    for (const std::string& file : stores) add_newest(opened(found, file));
  }
  for (const std::string& name : names) {
    std::error_code ignored;
    if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) {
      const std::string file = name.substr(0, colon);
      const std::string run = name.substr(colon + 1);
      if (!add_named(found, opened(found, file), run)) refuse_run(run, file);
      continue;
    }
    if (fs::is_regular_file(name, ignored)) {
      add_newest(opened(found, name));
      continue;
    }
    std::vector<std::string> holders;
    for (const std::string& file : stores) {
      const Store& store = opened(found, file);
      if (add_named(found, store, name)) holders.push_back(store.path().string());
    }
    if (holders.empty()) refuse_run(name, fmt::format("{}", fmt::join(stores, ", ")));
    if (holders.size() > 1 && name != "all") {
      throw UsageError(fmt::format("run {} is in several stores ({}): write FILE:{}", name,
                                   fmt::join(holders, ", "), name));
    }
  }
  return found;
}

RunRow run_in(const Store& store, const std::string& name) {
  const std::optional<RunId> run = store.find_named(name);
  std::optional<RunRow> row = name.empty() ? store.newest_run() : run ? store.run(*run) : std::nullopt;
  if (row) return *std::move(row);
  if (name.empty()) throw UsageError(fmt::format("{} has no runs yet", store.path().string()));
  throw UsageError(fmt::format("{} has no run '{}'; see `benchctl runs`", store.path().string(), name));
}

void add_show(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "show", "Show the result table of a run", &show_run);
  add_run_options(command, common, options, {"text", "markdown", "json"});
  command.add_flag(
      "--all", options.all,
      fmt::format("List all points with times, not only {}: the fastest of each problem and device, "
                  "then the second fastest of each, and so on",
                  rows_listed));
  command.add_flag("--published", options.published, published_help);
}

void add_export(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "export", "Write the rows of a run for other programs", &export_run);
  add_run_options(command, common, options, {"csv", "json"});
  add_output_option(command, options.file);
  add_value(command, "--files", options.folder, "FOLDER",
            "Also write the kernel sources and other files of the config into this folder");
  command.add_flag("--samples", options.samples, "All raw samples, too (JSON only)");
}

}  // namespace benchctl::cli

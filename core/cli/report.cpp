// `benchctl report`, `export` and `history`: runs of one or several stores, and points over all runs of a
// store, as a document for people or for programs.
#include "cli/runs.hpp"
#include "cli/terminal.hpp"
#include "model/words.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/history.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace benchctl::cli {

namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::vector<std::string> stores;
  std::vector<std::string> runs;
  std::string format;
  std::string file;
  std::string folder;
  WriteOptions write;
};

/// Below the folder, whatever their names say: a file that stood above the config goes into `up`.
void write_files(const std::vector<RunFile>& files, const fs::path& folder) {
  for (const RunFile& file : files) {
    fs::path inside = folder;
    for (const fs::path& part : fs::path(file.name).relative_path()) inside /= part == ".." ? "up" : part;
    fs::create_directories(inside.parent_path());
    write_output(file.contents, inside.string());
  }
}

void report(Common& common, ReportArguments& options) {
  if (options.write.samples && options.format != "json")
    throw UsageError("--samples: raw samples are exported as JSON; add --format json");
  try_output("--output", options.file);
  if (options.stores.empty()) options.stores.push_back(common.store_file().string());
  const NamedRuns runs = open_runs(options.stores, options.runs);
  if (!options.folder.empty()) {
    if (runs.sources.size() != 1) throw UsageError("--files: the files of one run are written: name one");
    const auto& [store, run] = runs.sources.front();
    write_files(store->files(run), options.folder);
  }
  options.write.page_template = shared_file("report/page.html");
  write_output(write_report(options.format, make_report(runs.sources), options.write), options.file);
}

struct HistoryArguments {
  HistoryOptions history;
  std::string format;
  std::string file;
};

/// The page of all its runs, with a section for the history.
std::string page_of(const Store& store, const History& history, const HistoryArguments& options) {
  std::vector<ReportSource> sources;
  for (const HistoryRun& run : history.runs) sources.push_back({&store, run.row.id});
  return html_page(make_report(sources, options.history.workloads), shared_file("report/page.html"),
                   {.history = history_page_data(history)});
}

[[noreturn]] void refuse_empty(const Store& store, const HistoryOptions& options) {
  const std::vector<HistorySeries> all = make_history(store, {.last = options.last}).series;
  if (all.empty()) throw UsageError(fmt::format("{} has no times yet", store.path()));
  std::vector<std::string> workloads;
  std::vector<std::string> labels;
  for (const HistorySeries& series : all) {
    add_once(workloads, series.point.workload);
    labels.push_back(series.point.label());
  }
  constexpr std::size_t shown = 8;
  throw UsageError(fmt::format(
      "no time belongs to{}{}{}; there are times of {}, such as '{}'",
      options.workloads.empty() ? "" : fmt::format(" workload '{}'", fmt::join(options.workloads, "', '")),
      options.labels.empty() ? "" : fmt::format(" --filter {}", fmt::join(options.labels, " ")),
      options.labels.empty() ? "" : did_you_mean(nearest_pattern(options.labels.front(), labels)),
      few_of(workloads, shown), labels.front()));
}

std::string document(const Store& store, const HistoryArguments& options) {
  const History history = make_history(store, options.history);
  if (history.series.empty()) refuse_empty(store, options.history);
  if (options.format == "html") return page_of(store, history, options);
  if (options.format == "json") return history_json(history);
  const bool terminal = options.file.empty() && options.format == "text";
  return history_text(history, {.markdown = options.format == "md",
                                .colours = terminal && colours_on(STDOUT_FILENO),
                                .width = terminal ? text_width(STDOUT_FILENO) : 0});
}

void show_history(Common& common, const HistoryArguments& options) {
  try_output("--output", options.file);
  write_output(document(common.store(), options), options.file);
}

auto add_document(CLI::App& app, Common& common, const char* name, const char* doc,
                  const std::vector<std::string>& formats) {
  const auto added = add_command(app, common, name, doc, &report);
  const auto& [command, options] = added;
  add_value(command, "run", options.runs, "RUN",
            "Numbers of runs, names of baselines, `all`, or FILE:RUN for another store (default: the "
            "newest of each store)");
  add_values(command, "--db", options.stores, "FILE",
             "Store file; repeatable (default: $BENCHCTL_DB, else ./benchctl.db)");
  add_format_option(command, options.format, formats);
  add_output_option(command, options.file);
  return added;
}

}  // namespace

void add_report(CLI::App& app, Common& common) {
  const auto [command, options] = add_document(
      app, common, "report", "Write runs of one or several stores as a page or Markdown", {"html", "md"});
  add_value(command, "--max-samples", options.write.page.samples, "N", "Most raw samples in a page")
      ->capture_default_str();
}

void add_export(CLI::App& app, Common& common) {
  const auto [command, options] = add_document(
      app, common, "export", "Write runs of one or several stores for other programs", {"csv", "json"});
  command.add_flag("--samples", options.write.samples, "All raw samples, too (JSON only)");
  add_value(command, "--files", options.folder, "FOLDER",
            "Also write the kernel sources and other files of the run's config into this folder");
}

void add_history(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "history", "Show points over all runs of a store", &show_history);
  add_value(command, "workload", options.history.workloads, "WORKLOAD",
            "Workloads, as patterns (default: all)");
  add_store_option(command, common);
  add_format_option(command, options.format, {"text", "md", "html", "json"});
  add_output_option(command, options.file);
  add_values(command, "--filter", options.history.labels, "PATTERN",
             "Only points whose label matches (repeatable)");
  add_value(command, "--last", options.history.last, "N",
            "Only this many of the newest runs (default: all)")
      ->check(above_zero);
}

}  // namespace benchctl::cli

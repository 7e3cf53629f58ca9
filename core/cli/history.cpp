// `benchctl history WORKLOAD…`: points over all runs of a store.
#include "report/history.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "report/page.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>

namespace benchctl::cli {

namespace {

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

std::string document(const Store& store, const HistoryArguments& options) {
  const History history = make_history(store, options.history);
  if (options.format == "html") return page_of(store, history, options);
  if (options.format == "json") return history_json(history);
  if (options.format == "csv") return history_csv(history);
  const bool terminal = options.file.empty() && options.format == "text";
  return history_text(history, {.markdown = options.format == "md",
                                .colours = terminal && colours_on(STDOUT_FILENO),
                                .bars = options.format == "md" || (terminal && unicode_on(STDOUT_FILENO)),
                                .width = terminal ? text_width(STDOUT_FILENO) : 0});
}

void show_history(Common& common, const HistoryArguments& options) {
  try_output("--output", options.file);
  write_output(document(common.store(), options), options.file);
}

}  // namespace

void add_history(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "history", "Show points over all runs of a store", &show_history);
  add_value(command, "workload", options.history.workloads, "WORKLOAD",
            "Workloads, as patterns (default: all)");
  add_store_option(command, common);
  add_format_option(command, options.format, {"text", "md", "html", "json", "csv"});
  add_output_option(command, options.file);
  add_values(command, "--filter", options.history.labels, "PATTERN",
             "Only points whose label matches (repeatable)");
  add_value(command, "--last", options.history.last, "N",
            "Only this many of the newest runs (default: all)")
      ->check(above_zero);
}

}  // namespace benchctl::cli

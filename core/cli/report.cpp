// `benchctl report`: runs of one or several stores as a page, or in another format.
#include "cli/runs.hpp"
#include "report/export.hpp"

#include <CLI/CLI.hpp>

namespace benchctl::cli {

namespace {

struct ReportArguments {
  std::vector<std::string> stores;
  std::vector<std::string> runs;
  std::string format;
  std::string file;
  WriteOptions write;
};

void report(Common& common, ReportArguments& options) {
  if (options.write.samples && options.format != "json")
    throw UsageError("--samples: raw samples go into json; a page has its own limit, --max-samples");
  try_output("--output", options.file);
  if (options.stores.empty()) options.stores.push_back(common.store_file().string());
  const NamedRuns runs = open_runs(options.stores, options.runs);
  options.write.page_template = shared_file("report/page.html");
  write_output(write_report(options.format, make_report(runs.sources), options.write), options.file);
}

}  // namespace

void add_report(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "report",
                  "Write runs of one or several stores as a page, Markdown, CSV or JSON", &report);
  add_value(
      command, "run", options.runs, "RUN",
      "Numbers of runs, names of baselines, `all`, or FILE:RUN for another store (default: the newest "
      "of each store)");
  add_values(command, "--db", options.stores, "FILE",
             "Store file; repeatable (default: $BENCHCTL_DB, else ./benchctl.db)");
  add_format_option(command, options.format, {"html", "md", "csv", "json"});
  add_output_option(command, options.file);
  command.add_option("--max-samples", options.write.page.samples, "Most raw samples in a page")
      ->capture_default_str();
  command.add_flag("--samples", options.write.samples, "All raw samples, too (JSON only)");
}

}  // namespace benchctl::cli

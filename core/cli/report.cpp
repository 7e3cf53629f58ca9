// `benchctl report`: runs of one or several stores as a page, or in another format.
#include "cli/runs.hpp"
#include "report/export.hpp"
#include "report/page.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

namespace benchctl::cli {

namespace {

struct ReportArguments {
  std::vector<std::string> stores;
  std::vector<std::string> runs;
  std::string format;
  std::string file;
  PageOptions page;
  bool samples = false;
};

struct ReportFormat {
  std::string_view name;
  std::string (*write)(const Report&, const ReportArguments&);
};

using Shown = const Report&;
using With = const ReportArguments&;
constexpr auto report_formats = std::to_array<ReportFormat>({
    {"html", [](Shown report,
                With options) { return html_page(report, shared_file("report/page.html"), options.page); }},
    {"md", [](Shown report, With options) { return report_markdown(report, options.page.title); }},
    {"csv", [](Shown report, With) { return report_csv(report); }},
    {"json",
     [](Shown report, With options) {
       return report_json(report, {options.page.title, options.samples});
     }},
});

std::string document(const Report& report, const ReportArguments& options) {
  const auto format = std::ranges::find(report_formats, options.format, &ReportFormat::name);
  return format->write(report, options);
}

void write_report(Common& common, ReportArguments& options) {
  if (options.samples && options.format != "json")
    throw UsageError("--samples: raw samples go into json; a page has its own limit, --max-samples");
  if (options.stores.empty()) options.stores.push_back(common.store_file().string());
  const NamedRuns runs = open_runs(options.stores, options.runs);
  write_output(document(make_report(runs.sources), options), options.file);
}

}  // namespace

void add_report(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "report",
                  "Write runs of one or several stores as a page, Markdown, CSV or JSON", &write_report);
  add_value(
      command, "run", options.runs, "RUN",
      "Numbers of runs, names of baselines, `all`, or FILE:RUN for another store (default: the newest "
      "of each store)");
  add_values(command, "--db", options.stores, "FILE",
             "Store file; repeatable (default: $BENCHCTL_DB, else ./benchctl.db)");
  std::vector<std::string> names;
  for (const ReportFormat& format : report_formats) names.emplace_back(format.name);
  add_format_option(command, options.format, names);
  add_output_option(command, options.file);
  add_value(command, "--title", options.page.title, "TEXT", "Title (default: that of the runs)");
  command.add_option("--max-samples", options.page.samples, "Most raw samples in a page")
      ->capture_default_str();
  command.add_flag("--samples", options.samples, "All raw samples, too (JSON only)");
}

}  // namespace benchctl::cli

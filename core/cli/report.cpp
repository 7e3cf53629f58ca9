// `benchctl report`: runs of one or several stores as a page, or in another format.
#include "cli/run_names.hpp"
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

}  // namespace

void add_report(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("report", "Write runs of one or several stores as a page, Markdown, CSV or JSON");
  auto options = std::make_shared<ReportArguments>();
  command
      ->add_option("run", options->runs,
                   "Numbers of runs, names of baselines, `all`, or FILE:RUN for another store (default: "
                   "the newest of each "
                   "store)")
      ->type_name("RUN");
  command
      ->add_option("--db", options->stores,
                   "Store file; repeatable (default: $BENCHCTL_DB, else ./benchctl.db)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_format_option(*command, options->format, {"html", "md", "csv", "json"});
  command->add_option("-o,--output", options->file, "File to write (default: standard output)")
      ->type_name("FILE");
  command->add_option("--title", options->write.page.title, "Title (default: that of the runs)")
      ->type_name("TEXT");
  command->add_option("--max-samples", options->write.page.samples, "Most raw samples in a page")
      ->capture_default_str();
  command->add_flag("--samples", options->write.samples, "All raw samples, too (JSON only)");
  command->callback([&common, options] {
    if (options->write.samples && options->format != "json")
      throw UsageError("--samples: raw samples go into json; a page has its own limit, --max-samples");
    if (options->stores.empty()) options->stores.push_back(common.store_file().string());
    const NamedRuns runs = open_runs(options->stores, options->runs);
    options->write.page_template = page_template();
    write_output(write_report(options->format, make_report(runs.sources), options->write), options->file);
  });
}

}  // namespace benchctl::cli

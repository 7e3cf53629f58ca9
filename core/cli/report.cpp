// `benchctl report`: runs of one or several stores as a page, or in a form that other tools read.
#include "cli/run_names.hpp"
#include "report/page.hpp"

#include <CLI/CLI.hpp>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::vector<std::string> stores;
  std::vector<std::string> runs;
  std::string format;
  std::string file;
  PageOptions page;
};

/// share/benchctl/report/page.html of the tree that this program is in.
fs::path page_template() {
  return own_program().parent_path().parent_path() / "share" / "benchctl" / "report" / "page.html";
}

std::string document(const Report& report, const Options& options) {
  return html_page(report, page_template(), options.page);
}

}  // namespace

void add_report(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("report", "Runs of one or several stores as a page, or for other tools");
  auto options = std::make_shared<Options>();
  command
      ->add_option(
          "run", options->runs,
          "Numbers of runs, `all`, or FILE:NUMBER for another store (default: the newest of each store)")
      ->type_name("RUN");
  command
      ->add_option("--db", options->stores,
                   "Store file; repeatable (default: $BENCHCTL_DB, else ./benchctl.db)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_format_option(*command, options->format, {"html"});
  command->add_option("-o,--output", options->file, "File to write (default: standard output)")
      ->type_name("FILE");
  command->add_option("--title", options->page.title, "Title (default: that of the runs)")
      ->type_name("TEXT");
  command->add_option("--max-samples", options->page.samples, "Raw samples that a page carries at most")
      ->capture_default_str();
  command->callback([&common, options] {
    if (options->stores.empty()) options->stores.push_back(common.store_file().string());
    const NamedRuns runs = open_runs(options->stores, options->runs);
    write_output(document(make_report(runs.sources), *options), options->file);
  });
}

}  // namespace benchctl::cli

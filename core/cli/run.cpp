// `benchctl run`: measures a config, stores everything, prints the result table.
#include "cli/measured_run.hpp"
#include "cli/sharding.hpp"
#include "cli/terminal.hpp"
#include "model/visible.hpp"
#include "report/export.hpp"
#include "report/table.hpp"
#include "store/store.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <optional>
#include <set>
#include <system_error>

namespace benchctl::cli {

namespace {

struct RunArguments {
  SelectionOptions selection;
  ShardOptions shard;
  RunOptions run;
  std::string budget;
  std::string format;
  bool published = false;
  bool strict = false;
  bool in_process = false;
};

std::vector<std::string> texts_of(const std::vector<SearchSummary>& searches) {
  std::vector<std::string> texts;
  for (const SearchSummary& search : searches) texts.push_back(to_text(search));
  return texts;
}

/// One line of JSON for each point as soon as it has a result; of several for one point the last counts.
/// All that people read goes to standard error.
class JsonLines : public Progress {
 public:
  explicit JsonLines(std::filesystem::path store) : file_(std::move(store)) {}

  void started(std::size_t total, std::size_t open) override { people_->started(total, open); }
  void message(const std::string& text) override { people_->message(text); }
  void working(const Point& point, const std::string& what) override { people_->working(point, what); }
  void finished(const Point& point, const Measurement* measurement) override {
    people_->finished(point, measurement);
  }
  void stored(PointId point) override {
    std::cout << stream_point(store(), point) << std::flush;
    told_.insert(point);
  }

  /// The rest: points that were not measured, and again those that have a rank now.
  void conclude(const RunOutcome& outcome, const Ending& ending) {
    people_.reset();
    std::cout << stream_ranked(store(), outcome.run, told_);
    std::cout << stream_summary(store(), {.run = outcome.run,
                                          .interrupted = outcome.interrupted,
                                          .out_of_budget = outcome.out_of_budget,
                                          .exit_code = ending.code,
                                          .meaning = ending.meaning,
                                          .searches = texts_of(outcome.searches)});
  }

 private:
  const Store& store() {
    if (!store_) store_ = Store::open(file_, Store::Access::read_only);
    return *store_;
  }

  std::filesystem::path file_;
  std::unique_ptr<Progress> people_ = make_progress();
  std::optional<Store> store_;
  std::set<PointId> told_;
};

void print_outcome(const RunArguments& options, const RunOutcome& outcome) {
  const Store store = Store::open(options.run.store, Store::Access::read_only);
  std::cout << write_run(options.format, store, outcome.run,
                         {.table = {.colours = colours_on(STDOUT_FILENO),
                                    .published = options.published,
                                    .width = text_width(STDOUT_FILENO)}});
  for (const std::string& search : texts_of(outcome.searches)) {
    if (options.format == "json") {
      tell("\n{}\n", search);
    } else {
      print_fitted("\n{}\n", visible_lines(search));
    }
  }
}

void run(Common& common, RunArguments& options) {
  const std::optional<Shard> shard = shard_from(options.shard);
  Workers workers;
  complete(options.run, common, workers, options.selection, options.budget);
  options.run.offline_compile = !options.in_process;
  if (options.run.device_debug) options.run.identity += "device-debug";

  const PluginHost host = options.in_process ? PluginHost::load(common.search_path()) : PluginHost();
  LocalChannelFactory here(host);
  ChannelFactory& factory = options.in_process ? here : workers.factory();
  Selection selection = select_points(
      options.selection, factory,
      options.in_process ? loaded_plugins(host, common.search_path()) : workers.plugins(common),
      &common.exit_code);
  for (const Diagnostic& warning : selection.expansion.warnings) std::cerr << to_text(warning) << '\n';
  if (!selection.unmet.empty()) {
    for (const std::string& unmet : selection.unmet) tell("benchctl: {}\n", unmet);
    common.exit_code = point_failed;
    return;
  }
  if (shard && !keep_shard(selection, options.run, options.selection.backends, *shard)) return;
  JsonLines* lines = nullptr;
  std::unique_ptr<Progress> progress;
  if (options.format == "jsonl") {
    auto writer = std::make_unique<JsonLines>(options.run.store);
    lines = writer.get();
    progress = std::move(writer);
  } else {
    progress = make_progress();
  }
  const RunOutcome outcome =
      run_points(selection.config, std::move(selection.expansion), selection.lanes, selection.catalogue,
                 selection.plugins, factory, options.run, *progress);
  Ending ending = ending_of(outcome, options.strict);
  // Devices that could not be listed are a failure, whatever became of the points.
  if (common.exit_code == point_failed && ending.code != interrupted) {
    ending = {point_failed, "devices could not be listed: standard error says why"};
  }
  common.exit_code = ending.code;
  if (lines != nullptr) {
    lines->conclude(outcome, ending);
  } else {
    progress.reset();  // a line that is drawn over is erased before the table begins
    print_outcome(options, outcome);
    // What is said last stands last where both go into one file.
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  }
  tell_unfinished(options.run, outcome, ending);
}

}  // namespace

void add_run(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("run", "Measure a config, verify and store everything, show the result");
  auto options = std::make_shared<RunArguments>();
  add_selection_options(*command, options->selection);
  add_shard_options(*command, options->shard);
  add_measuring_options(*command, common, options->run, options->budget);
  add_format_option(*command, options->format, {"text", "json", "jsonl"});
  command->add_flag("--published", options->published, published_help);
  command->add_flag("--strict", options->strict, "Unstable points and missed targets fail, too");
  command->add_flag("--in-process", options->in_process,
                    "No worker processes: for debuggers and profilers. A crash ends the run");
  command->add_flag("--device-debug", options->run.device_debug,
                    "Compile kernels with debug information; verify only, never time");
  command->footer(command->get_footer() +
                  "\n\nExamples:\n  benchctl run tile_sweep\n"
                  "  benchctl run kernels.toml --budget 5m\n"
                  "  benchctl run kernels.toml --set n=[512] --filter '*tiled*'");
  command->callback([&common, options] { run(common, *options); });
}

}  // namespace benchctl::cli

// `benchctl run`: measures a config, stores everything, prints the result table.
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "engine/coordinator.hpp"
#include "report/export.hpp"
#include "report/stream.hpp"
#include "report/table.hpp"
#include "store/store.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <set>

namespace benchctl::cli {

namespace {

struct RunArguments {
  SelectionOptions selection;
  RunOptions run;
  std::string budget;
  std::string format;
  bool strict = false;
  bool in_process = false;
};

std::string_view meaning(int code) {
  switch (code) {
    case success:
      return "all points were measured and right, or were ruled out";
    case interrupted:
      return "interrupted: the same command resumes";
    default:
      return "a point failed: its status and reason are in its line";
  }
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

  /// The rest: points that were not measured, and those whose comparison was made behind their line.
  void conclude(const RunOutcome& outcome, int code) {
    people_.reset();
    for (const StoredPoint& point : store().results(outcome.run)) {
      if (!told_.contains(point.row.id) || point.comparison) stored(point.row.id);
    }
    std::cout << stream_summary(store(), {.run = outcome.run,
                                          .interrupted = outcome.interrupted,
                                          .out_of_budget = outcome.out_of_budget,
                                          .exit_code = code,
                                          .meaning = meaning(code),
                                          .searches = outcome.searches});
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

int exit_code(const RunOutcome& outcome, bool strict) {
  if (outcome.interrupted) return interrupted;
  for (const auto& [status, count] : outcome.counts) {
    const StatusClass status_class = info(status).status_class;
    if (status_class == StatusClass::failed) return point_failed;
    if (status_class == StatusClass::warning && strict) return point_failed;
  }
  return success;
}

void print_outcome(const RunArguments& options, const RunOutcome& outcome) {
  const Store store = Store::open(options.run.store, Store::Access::read_only);
  if (options.format == "json") {
    std::cout << export_json(store, outcome.run, {});
  } else {
    std::cout << result_table(store, outcome.run, {.colours = colours_on(STDOUT_FILENO)});
  }
  for (const std::string& search : outcome.searches) {
    if (options.format == "json") {
      tell("\n{}\n", search);
    } else {
      fmt::print("\n{}\n", visible_lines(search));
    }
  }
}

void tell_unfinished(const RunArguments& options, const RunOutcome& outcome) {
  if (!outcome.interrupted && !outcome.out_of_budget) return;
  tell("{}; everything measured so far is in {}. The same command goes on where this one stopped.\n",
       outcome.interrupted ? "Interrupted" : "The budget ran out", options.run.store.string());
}

void run(Common& common, RunArguments& options) {
  Workers workers;
  options.run.store = common.store_file();
  options.run.folder = workers.folder();
  options.run.cache = default_cache();
  options.run.filters = options.selection.filters;
  options.run.timeout_seconds = options.selection.timeout_seconds;
  options.run.offline_compile = !options.in_process;
  options.run.identity = identity_of(options.selection) + (options.run.device_debug ? "device-debug" : "");
  if (!options.budget.empty()) options.run.budget_seconds = seconds_from("--budget", options.budget);

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
  if (const int code = exit_code(outcome, options.strict); code != success) common.exit_code = code;
  if (lines != nullptr) {
    lines->conclude(outcome, common.exit_code);
  } else {
    progress.reset();  // a line that is drawn over is erased before the table begins
    print_outcome(options, outcome);
  }
  tell_unfinished(options, outcome);
}

}  // namespace

void add_run(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("run", "Measure a config, verify and store everything, show the result");
  auto options = std::make_shared<RunArguments>();
  add_selection_options(*command, options->selection);
  add_store_option(*command, common);
  add_format_option(*command, options->format, {"text", "json", "jsonl"});
  command
      ->add_option("--budget", options->budget,
                   "Time for the whole run: 60s, 5m, 1h; covers every point first, then refines those with "
                   "the widest intervals")
      ->type_name("TIME");
  auto* fresh =
      command->add_flag("--fresh", options->run.fresh, "Begin a new run even if one was interrupted");
  command->add_flag("--reuse", options->run.reuse, "Take matching points from older runs")->excludes(fresh);
  command->add_flag("--strict", options->strict, "Unstable points fail, too");
  command->add_flag("--wait", options->run.wait,
                    "Wait for another benchctl that is measuring on this machine");
  command->add_flag("--in-process", options->in_process,
                    "No worker processes: for debuggers and profilers. A crash ends the run");
  command->add_flag("--device-debug", options->run.device_debug,
                    "Compile kernels with debug information; verifies only, never times");
  command->callback([&common, options] {
    options->run.command = common.command;
    run(common, *options);
  });
}

}  // namespace benchctl::cli

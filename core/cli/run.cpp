// `benchctl run`: measures a config, stores everything, prints the result table.
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "engine/coordinator.hpp"
#include "model/visible.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/stream.hpp"
#include "report/table.hpp"
#include "store/store.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cctype>
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

/// How a run ended: its exit code, and that in words.
struct Ending {
  int code = success;
  std::string meaning;
};

std::size_t count(const RunOutcome& outcome, StatusClass status_class) {
  std::size_t sum = 0;
  for (const auto& [status, points] : outcome.counts) {
    if (info(status).status_class == status_class) sum += points;
  }
  return sum;
}

std::string points_text(std::size_t points) {
  return fmt::format("{} point{}", format_count(points), points == 1 ? "" : "s");
}

Ending ending_of(const RunOutcome& outcome, bool strict) {
  const std::size_t warnings = count(outcome, StatusClass::warning);
  const std::size_t open = count(outcome, StatusClass::open);
  const std::size_t ruled_out = count(outcome, StatusClass::ruled_out);
  if (outcome.interrupted) return {interrupted, "interrupted: the same command resumes"};
  if (count(outcome, StatusClass::failed) > 0 || (strict && warnings > 0)) {
    return {point_failed, "a point failed: its status and reason are in its line"};
  }
  if (outcome.out_of_budget || open > 0) {
    return {incomplete,
            fmt::format("the budget ran out: {} not measured{}; the same command goes on with the rest",
                        open > 0 ? points_text(open) + (open == 1 ? " was" : " were") : "a search was",
                        open > 0 ? "" : " to its end")};
  }
  if (count(outcome, StatusClass::good) + warnings == 0) {
    return {incomplete, ruled_out == 0
                            ? "nothing was measured: no search found a point that can run here"
                            : fmt::format("nothing was measured: {} ruled out, each with its "
                                          "reason",
                                          ruled_out == 1 ? "the only point was"
                                                         : "all " + points_text(ruled_out) + " were")};
  }
  return {success, "all points were measured and right, or were ruled out"};
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
  void conclude(const RunOutcome& outcome, const Ending& ending) {
    people_.reset();
    for (const StoredPoint& point : store().results(outcome.run)) {
      if (!told_.contains(point.row.id) || point.comparison) stored(point.row.id);
    }
    std::cout << stream_summary(store(), {.run = outcome.run,
                                          .interrupted = outcome.interrupted,
                                          .out_of_budget = outcome.out_of_budget,
                                          .exit_code = ending.code,
                                          .meaning = ending.meaning,
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

void print_outcome(const RunArguments& options, const RunOutcome& outcome) {
  const Store store = Store::open(options.run.store, Store::Access::read_only);
  if (options.format == "json") {
    std::cout << export_json(store, outcome.run, {});
  } else {
    std::cout << result_table(store, outcome.run,
                              {.colours = colours_on(STDOUT_FILENO), .width = text_width(STDOUT_FILENO)});
  }
  for (const std::string& search : outcome.searches) {
    if (options.format == "json") {
      tell("\n{}\n", search);
    } else {
      print_fitted("\n{}\n", visible_lines(search));
    }
  }
}

/// The last line, where the table does not say all.
void tell_unfinished(const RunArguments& options, const RunOutcome& outcome, const Ending& ending) {
  if (ending.code == success) return;
  if (ending.code == incomplete) {
    std::string text = ending.meaning;
    text[0] = static_cast<char>(std::toupper(text[0]));
    tell("{} (exit code {}).\n", text, ending.code);
    return;
  }
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
  }
  tell_unfinished(options, outcome, ending);
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

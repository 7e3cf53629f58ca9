// `benchctl run`: measures a config, stores everything, prints the result table.
#include "cli/run.hpp"

#include "cli/sharding.hpp"
#include "cli/terminal.hpp"
#include "model/words.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/table.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace benchctl::cli {

namespace {

std::size_t count(const RunOutcome& outcome, StatusClass status_class) {
  std::size_t sum = 0;
  for (const auto& [status, points] : outcome.counts) {
    if (info(status).status_class == status_class) sum += points;
  }
  return sum;
}

/// What there was no time for.
std::string rest_text(std::size_t points, std::size_t searches) {
  std::string text;
  if (points > 0)
    text = fmt::format("{} {} not measured", counted(points, "point"), points == 1 ? "was" : "were");
  if (searches > 0) {
    text += fmt::format("{}{} search{} not finished", text.empty() ? "" : ", ", format_count(searches),
                        searches == 1 ? " was" : "es were");
  }
  return text;
}

struct RunArguments {
  SelectionOptions selection;
  std::string shard;
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

/// One line of JSON for each step, and for each point as soon as it has a result; of several for one point
/// the last counts.
class JsonLines : public Progress {
 public:
  explicit JsonLines(std::filesystem::path store) : file_(std::move(store)) {}

  void started(std::size_t open) override { open_ = open; }

  void working(const Point& point, const std::string& what) override {
    std::cout << stream_line("progress",
                             {{"doing", what}, {"label", point.label()}, {"done", done_}, {"total", open_}})
              << std::flush;
  }

  void finished(const Point& /*point*/, const Measurement* /*measurement*/) override {
    done_ = std::min(done_ + 1, open_);  // finals measure some points again
  }

  void stored(PointId point) override {
    std::cout << stream_point(store(), point) << std::flush;
    told_.insert(point);
  }

  /// The rest: points that were not measured, and again those that have a rank now.
  void conclude(const RunOutcome& outcome, const Ending& ending) {
    std::cout << stream_ranked(store(), outcome.run, told_);
    std::cout << stream_line("summary", {{"run", to_number(outcome.run)},
                                         {"store", store().path().string()},
                                         {"points", counts_json(store().status_counts(outcome.run))},
                                         {"interrupted", outcome.interrupted},
                                         {"out_of_budget", outcome.out_of_budget},
                                         {"searches", texts_of(outcome.searches)},
                                         {"exit_code", ending.code},
                                         {"meaning", ending.meaning}});
  }

 private:
  const Store& store() {
    if (!store_) store_ = Store::open(file_, Store::Access::read_only);
    return *store_;
  }

  std::filesystem::path file_;
  std::optional<Store> store_;
  std::set<PointId> told_;
  std::size_t open_ = 0;
  std::size_t done_ = 0;
};

void print_outcome(const RunArguments& options, const RunOutcome& outcome) {
  const Store store = Store::open(options.run.store, Store::Access::read_only);
  write_plain(options.format == "json" ? write_report("json", make_report(store, outcome.run), {})
                                       : run_text(store, outcome.run,
                                                  {.colours = colours_on(STDOUT_FILENO),
                                                   .published = options.published,
                                                   .width = text_width(STDOUT_FILENO)}));
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
  if (tell_unmet(selection, common)) return;
  if (shard && !keep_shard(selection, options.run, options.selection.backends, *shard)) return;
  const bool streams = options.format == "jsonl";  // what people read goes to standard error then
  JsonLines lines(options.run.store);
  std::unique_ptr<Progress> progress = make_progress(common.quiet, streams ? &lines : nullptr);
  const RunOutcome outcome =
      run_points(selection.config, std::move(selection.expansion), selection.lanes, selection.catalogue,
                 selection.plugins, factory, options.run, *progress);
  Ending ending = ending_of(outcome, options.strict);
  // Devices that could not be listed are a failure, whatever became of the points.
  if (common.exit_code == point_failed && ending.code != interrupted) {
    ending = {point_failed, "devices could not be listed: standard error says why"};
  }
  common.exit_code = ending.code;
  progress.reset();  // a line that is drawn over is erased before the table begins
  if (streams) {
    lines.conclude(outcome, ending);
  } else {
    print_outcome(options, outcome);
    // What is said last stands last where both go into one file.
    static_cast<void>(std::fflush(stdout));
  }
  tell_unfinished(options.run, outcome, ending);
}

}  // namespace

Ending ending_of(const RunOutcome& outcome, bool strict) {
  const std::size_t warnings = count(outcome, StatusClass::warning);
  const std::size_t open = count(outcome, StatusClass::open);
  const std::size_t ruled_out = count(outcome, StatusClass::ruled_out);
  if (outcome.interrupted) return {interrupted, "interrupted: the same command resumes"};
  if (count(outcome, StatusClass::failed) > 0 || (strict && warnings > 0)) {
    return {point_failed, "a point failed: its status and reason are in its line"};
  }
  if (strict && outcome.missed_targets > 0) {
    return {point_failed,
            fmt::format("{} missed the target precision: allow more time (max_seconds), or a wider target",
                        counted(outcome.missed_targets, "point"))};
  }
  if (outcome.out_of_budget || open > 0) {
    return {incomplete, fmt::format("the budget ran out: {}; the same command measures the rest",
                                    rest_text(open, outcome.unfinished_searches))};
  }
  if (count(outcome, StatusClass::good) + warnings == 0) {
    return {incomplete, ruled_out == 0
                            ? "nothing was measured: no point can run on the devices here"
                            : fmt::format("nothing was measured: {} ruled out, each with its reason",
                                          ruled_out == 1 ? "the only point was"
                                                         : "all " + counted(ruled_out, "point") + " were")};
  }
  return {success, "all points were measured and right, or were ruled out"};
}

void add_measuring_options(CLI::App& command, Common& common, RunOptions& options, std::string& budget) {
  add_store_option(command, common);
  add_value(command, "--budget", budget, "TIME",
            "Time for the whole run: 60s, 5m, 1h; covers every point first, then goes where it is not "
            "known which is the fastest");
  auto* fresh = command.add_flag("--fresh", options.fresh, "Begin a new run even if one was interrupted");
  command.add_flag("--reuse", options.reuse, "Take matching points from older runs")->excludes(fresh);
  add_wait_option(command, options.wait);
  add_quiet_option(command, common);
}

void complete(RunOptions& options, const Common& common, const Workers& workers,
              const SelectionOptions& selection, const std::string& budget) {
  options.store = common.store_file();
  options.folder = workers.folder();
  options.cache = default_cache();
  options.command = common.command;
  options.filters = selection.filters;
  options.timeout_seconds = selection.timeout_seconds;
  options.allow_programs = selection.allow_programs;
  options.identity = identity_of(selection);
  if (!budget.empty()) options.budget_seconds = seconds_from("--budget", budget);
}

void tell_unfinished(const RunOptions& options, const RunOutcome& outcome, const Ending& ending) {
  if (ending.code == success) return;
  if (ending.code == incomplete) {
    std::string text = ending.meaning;
    text[0] = static_cast<char>(std::toupper(text[0]));
    tell("{} (exit code {}).\n", text, ending.code);
    return;
  }
  if (!outcome.interrupted && !outcome.out_of_budget) return;
  tell("{}; everything measured so far is in {}. The same command continues where this one stopped.\n",
       outcome.interrupted ? "Interrupted" : "The budget ran out", options.store);
}

void add_run(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "run", "Measure a config, verify and store everything, show the result", &run);
  add_selection_options(command, options.selection);
  add_programs_option(command, options.selection.allow_programs);
  add_shard_option(command, options.shard);
  add_measuring_options(command, common, options.run, options.budget);
  add_format_option(command, options.format, {"text", "json", "jsonl"});
  command.add_flag("--published", options.published, published_help);
  command.add_flag("--strict", options.strict, "Unstable points and missed targets fail, too");
  command.add_flag("--in-process", options.in_process,
                   "No worker processes: for debuggers and profilers. A crash ends the run");
  command.add_flag("--device-debug", options.run.device_debug,
                   "Compile kernels with debug information; verify only, never time");
}

}  // namespace benchctl::cli

#include "cli/measured_run.hpp"

#include "cli/terminal.hpp"
#include "report/format.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cctype>

namespace benchctl::cli {

namespace {

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

/// What there was no time for.
std::string rest_text(std::size_t points, std::size_t searches) {
  std::string text;
  if (points > 0)
    text = fmt::format("{} {} not measured", points_text(points), points == 1 ? "was" : "were");
  if (searches > 0) {
    text += fmt::format("{}{} search{} not finished", text.empty() ? "" : ", ", format_count(searches),
                        searches == 1 ? " was" : "es were");
  }
  return text;
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
            fmt::format("{} missed the target precision: allow more time (max_seconds), or a wider "
                        "target",
                        points_text(outcome.missed_targets))};
  }
  if (outcome.out_of_budget || open > 0) {
    return {incomplete, fmt::format("the budget ran out: {}; the same command measures the rest",
                                    rest_text(open, outcome.unfinished_searches))};
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

void add_measuring_options(CLI::App& command, Common& common, RunOptions& options, std::string& budget) {
  add_store_option(command, common);
  add_value(command, "--budget", budget, "TIME",
            "Time for the whole run: 60s, 5m, 1h; covers every point first, then goes where it is not "
            "known which is the fastest");
  auto* fresh = command.add_flag("--fresh", options.fresh, "Begin a new run even if one was interrupted");
  command.add_flag("--reuse", options.reuse, "Take matching points from older runs")->excludes(fresh);
  add_wait_option(command, options.wait);
  command.footer(
      "Exit codes: 0 no point failed, 1 some point failed, 2 usage or config error, 6 the budget left "
      "points out or nothing could be measured, 130 interrupted.");
}

void complete(RunOptions& options, const Common& common, const Workers& workers,
              const SelectionOptions& selection, const std::string& budget) {
  options.store = common.store_file();
  options.folder = workers.folder();
  options.cache = default_cache();
  options.command = common.command;
  options.filters = selection.filters;
  options.timeout_seconds = selection.timeout_seconds;
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
       outcome.interrupted ? "Interrupted" : "The budget ran out", options.store.string());
}

}  // namespace benchctl::cli

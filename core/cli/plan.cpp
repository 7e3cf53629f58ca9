// `benchctl plan` and `check`: the points of a config on this machine, the ruled-out ones with their
// reasons, and how long a run will take at most; or only whether the config is right, what is odd, and
// whether its kernels compile.
#include "cli/sharding.hpp"
#include "cli/terminal.hpp"
#include "model/json.hpp"
#include "model/words.hpp"
#include "report/format.hpp"
#include "sweep/group.hpp"
#include "sweep/search.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using Json = nlohmann::ordered_json;

struct PlanArguments {
  SelectionOptions selection;
  std::string format;
  std::size_t shards = 0;
  std::string folder;
  bool compile = false;
  std::string architecture;
};

/// A selection with its searches, which refer to it.
struct Planned {
  Workers workers;
  Selection selection;
  Searches searches;
  std::vector<Diagnostic> warnings;

  Planned(const SelectionOptions& options, Common& common)
      : selection(select_points(options, workers.factory(), workers.plugins(common), &common.exit_code)),
        searches(make_searches(selection.config, selection.catalogue, selection.lanes)),
        warnings(selection.expansion.warnings) {
    warnings.insert(warnings.end(), searches.warnings.begin(), searches.warnings.end());
  }
  [[nodiscard]] const std::vector<Point>& points() const { return selection.expansion.points; }
};

void print_ruled_out(const std::vector<Point>& points) {
  std::map<std::string_view, std::vector<const Point*>> ruled_out;
  for (const Point& point : points) {
    if (point.status != Status::not_run) ruled_out[point.reason].push_back(&point);
  }
  for (const auto& [reason, members] : ruled_out) {
    print_plain("\nruled out ({}): {}\n", members.size(), visible_lines(reason));
    constexpr std::size_t shown = 5;
    for (std::size_t i = 0; i < std::min(members.size(), shown); ++i)
      print_plain("  {}\n", visible(members[i]->label()));
    if (members.size() > shown) print_plain("  and {} more\n", members.size() - shown);
  }
}

void print_text(const Planned& plan, std::size_t groups) {
  for (const Point& point : plan.points()) {
    if (point.status == Status::not_run) print_plain("{}\n", visible(point.label()));
  }
  print_ruled_out(plan.points());
  const PlanTotals totals = plan_totals(plan.points());
  if (totals.to_measure == 0 && plan.searches.tasks.empty()) {
    print_plain("\nNothing to measure: {} ruled out, for the reasons above.\n",
                counted(totals.ruled_out, "point"));
    return;
  }
  print_plain("\n{} to measure in {}, {} ruled out; about {:.0f} s to {:.0f} s plus compilation\n",
              counted(totals.to_measure, "point"), counted(groups, "group"), totals.ruled_out,
              totals.least_seconds, totals.most_seconds);
  // Which points of a space are tried is known only when they are.
  for (const auto& task : plan.searches.tasks) {
    print_plain("search of {}: up to {} of {:.6g} points ({}, seed {})\n", visible(task->label()),
                task->max_points(), task->space().size(), task->settings().strategy.text,
                task->settings().seed);
  }
}

void plan_shards(Common& common, const PlanArguments& options) {
  Workers workers;
  const Selection selection = read_selection(options.selection, workers.plugins(common));
  for (const Diagnostic& warning : selection.expansion.warnings) std::cerr << to_text(warning) << '\n';
  const Shards shards = filled_shards(options.selection, selection, options.shards);
  print_shards(shards);
  if (options.folder.empty()) return;
  const PlanFolder plan = write_plan(options.folder, options.selection, selection, shards);
  tell("Each machine: benchctl run {} --shard I/{} --db {}\nAfterwards: benchctl collect {}\n",
       shell_word(plan.selection.config), plan.shards, shell_word((plan.folder / "shard-I.db").string()),
       shell_word(plan.folder.string()));
}

void plan(Common& common, const PlanArguments& options) {
  if (options.shards > 0) return plan_shards(common, options);
  const Planned plan(options.selection, common);
  const std::size_t groups =
      group_points(plan.points(), plan.selection.config.workloads, plan.selection.lanes).size();
  for (const Diagnostic& warning : plan.warnings) std::cout << to_text(warning) << '\n';
  print_text(plan, groups);
  tell_unmet(plan.selection, common);
}

Json to_json(const std::vector<Diagnostic>& diagnostics) {
  return list_of(diagnostics, [](const Diagnostic& diagnostic) {
    return Json{{"severity", diagnostic.severity == Severity::error ? "error" : "warning"},
                {"file", diagnostic.file},
                {"line", diagnostic.position.line},
                {"column", diagnostic.position.column},
                {"message", diagnostic.message},
                {"expected", diagnostic.expected},
                {"suggestion", diagnostic.suggestion}};
  });
}

/// What became of the kernels; one that fails is a failure.
std::vector<CompiledPoint> compile(Planned& plan, const PlanArguments& options, Common& common) {
  if (!options.compile) return {};
  std::vector<CompiledPoint> compiled =
      compile_points(plan.selection, options.selection, options.architecture, plan.workers.factory());
  const auto fails = [](const CompiledPoint& point) { return point.outcome.status != Status::ok; };
  if (std::ranges::any_of(compiled, fails)) common.exit_code = point_failed;
  return compiled;
}

void check_right(Common& common, const PlanArguments& options) {
  Planned plan(options.selection, common);
  const std::vector<CompiledPoint> compiled = compile(plan, options, common);
  const auto skipped = std::ranges::count(plan.points(), Status::skipped, &Point::status);
  const std::size_t searches = plan.searches.tasks.size();
  const bool none_is_left = static_cast<std::size_t>(skipped) == plan.points().size();
  if (options.format == "json") {
    if (!plan.selection.unmet.empty()) common.exit_code = point_failed;
    Json document{{"config", options.selection.config},
                  {"fine", true},
                  {"points", plan.points().size()},
                  {"ruled_out", skipped},
                  {"searches", searches},
                  {"unmet", plan.selection.unmet},
                  {"diagnostics", to_json(plan.warnings)}};
    if (options.compile) document["compiled"] = compiled_json(compiled);
    return write_json(document);
  }
  for (const Diagnostic& warning : plan.warnings) std::cout << to_text(warning) << '\n';
  print_fitted("{}: fine; {} on this machine, {} of them ruled out{}{}\n",
               visible(options.selection.config), counted(plan.points().size(), "point"), skipped,
               skipped == 0 || none_is_left ? "" : " (`benchctl plan` says why)",
               searches == 0 ? "" : "; " + counted(searches, "search", "es"));
  if (none_is_left && searches == 0) print_ruled_out(plan.points());
  if (options.compile) print_plain("{}", visible_lines(compiled_text(compiled, text_width(STDOUT_FILENO))));
  tell_unmet(plan.selection, common);
}

void check(Common& common, const PlanArguments& options) {
  try {
    check_right(common, options);
  } catch (const ConfigErrors& errors) {
    if (options.format != "json") throw;
    write_json(Json{{"config", options.selection.config},
                    {"fine", false},
                    {"diagnostics", to_json(errors.diagnostics())}});
    common.exit_code = usage_error;
  }
}

}  // namespace

void add_plan(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "plan", "Show the points of a config on this machine without measuring them", &plan);
  add_selection_options(command, options.selection);
  add_value(command, "--shards", options.shards, "N",
            "Instead: how the plan splits into so many parts for `run --shard`, with their predicted "
            "times. Asks no device")
      ->check(CLI::Range(std::size_t{1}, max_shards));
  add_value(command, "--output", options.folder, "FOLDER",
            "Write the config and the plan of --shards into this folder, for `benchctl collect`")
      ->needs("--shards");
}

void add_check(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "check", "Check a config without running it", &check);
  add_selection_options(command, options.selection);
  add_format_option(command, options.format, {"text", "json"});
  command.add_flag("--compile", options.compile,
                   "Compile its kernels, too, those that searches begin with included, and show registers, "
                   "spills and shared memory; a kernel that does not compile is exit code 1");
  add_value(command, "--arch", options.architecture, "ARCHITECTURE",
            "Architecture for --compile, such as sm_90, whether or not there is such a device; without it "
            "those of the devices here")
      ->needs("--compile");
}

}  // namespace benchctl::cli

// `benchctl plan`: the points of a config on this machine, the ruled-out ones with their reasons, and how
// long a run will take at most.
#include "cli/plan_folder.hpp"
#include "cli/terminal.hpp"
#include "model/json.hpp"
#include "model/visible.hpp"
#include "sweep/group.hpp"
#include "sweep/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using Json = nlohmann::ordered_json;

void print_text(const std::vector<Point>& points, std::size_t groups) {
  std::map<std::string_view, std::vector<const Point*>> ruled_out;
  for (const Point& point : points) {
    if (point.status == Status::not_run) {
      fmt::print("{}\n", visible(point.label()));
    } else {
      ruled_out[point.reason].push_back(&point);
    }
  }
  for (const auto& [reason, members] : ruled_out) {
    fmt::print("\nruled out ({}): {}\n", members.size(), visible_lines(reason));
    constexpr std::size_t shown = 5;
    for (std::size_t i = 0; i < std::min(members.size(), shown); ++i)
      fmt::print("  {}\n", visible(members[i]->label()));
    if (members.size() > shown) fmt::print("  and {} more\n", members.size() - shown);
  }
  const PlanTotals totals = plan_totals(points);
  fmt::print(
      "\n{} point{} to measure in {} group{}, {} ruled out; about {:.0f} s to {:.0f} s plus compilation\n",
      totals.to_measure, totals.to_measure == 1 ? "" : "s", groups, groups == 1 ? "" : "s",
      totals.ruled_out, totals.least_seconds, totals.most_seconds);
}

/// Which points of a space are tried is known only when they are.
void print_searches(const Searches& searches) {
  for (const auto& task : searches.tasks) {
    fmt::print("search of {}: up to {} of {:.6g} points ({}, seed {})\n", visible(task->label()),
               task->max_points(), task->space().size(), task->settings().strategy.text,
               task->settings().seed);
  }
}

Json to_json(const Searches& searches) {
  Json rows = Json::array();
  for (const auto& task : searches.tasks) {
    rows.push_back({{"label", task->label()},
                    {"strategy", task->settings().strategy.text},
                    {"seed", task->settings().seed},
                    {"max_points", task->max_points()},
                    {"space", task->space().size()}});
  }
  return rows;
}

Json to_json(const Point& point) {
  Json row = {
      {"status", point.status == Status::not_run ? "planned" : std::string(to_string(point.status))},
      {"reason", point.reason},
      {"label", point.label()},
      {"workload", point.workload},
      {"variant", point.variant},
      {"backend", point.backend},
      {"device", point.device},
      {"max_seconds", point.measure.max_seconds}};
  for (const auto* parameters : {&point.problem, &point.tunables}) {
    for (const auto& [name, value] : *parameters) {
      row[name] = std::visit([](const auto& alternative) { return Json(alternative); }, value);
    }
  }
  return row;
}

void print_json(const std::vector<Point>& points, std::size_t groups, const Searches& searches) {
  const PlanTotals totals = plan_totals(points);
  std::cout << json_with_list(
      {{"groups", groups},
       {"searches", to_json(searches)},
       {"predicted_seconds", {{"least", totals.least_seconds}, {"most", totals.most_seconds}}}},
      "points", points.size(), [&](std::size_t i) { return to_json(points[i]); });
}

void print_shards(const SelectionOptions& options, std::size_t count, const std::string& folder,
                  const std::string& format, Common& common) {
  Workers workers;
  const Selection selection = read_selection(options, workers.plugins(common));
  for (const Diagnostic& warning : selection.expansion.warnings) std::cerr << to_text(warning) << '\n';
  const Shards shards(selection.config, selection.catalogue, options.backends, count);
  std::cout << (format == "json" ? shards_json(shards) : shards_text(shards));
  if (folder.empty()) return;
  const PlanFolder plan = write_plan(folder, options, selection, shards);
  tell("Each machine: benchctl run {} --shard I/{} --db {}\nAfterwards: benchctl collect {}\n",
       plan.selection.config, count, (plan.folder / "shard-I.db").string(), plan.folder.string());
}

}  // namespace

void add_plan(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("plan", "Show the points of a config on this machine without measuring them");
  auto options = std::make_shared<SelectionOptions>();
  auto format = std::make_shared<std::string>();
  add_selection_options(*command, *options);
  add_format_option(*command, *format, {"text", "json"});
  auto shards = std::make_shared<std::size_t>(0);
  command
      ->add_option("--shards", *shards,
                   "Instead: how the plan splits into so many parts for `run --shard`, with their "
                   "predicted times. Asks no device")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, max_shards));
  auto folder = std::make_shared<std::string>();
  command
      ->add_option("--output", *folder,
                   "Write the config and the plan of --shards into this folder, for `benchctl collect`")
      ->type_name("FOLDER")
      ->needs("--shards");
  command->callback([&common, options, format, shards, folder] {
    if (*shards > 0) return print_shards(*options, *shards, *folder, *format, common);
    Workers workers;
    const Selection selection =
        select_points(*options, workers.factory(), workers.plugins(common), &common.exit_code);
    const std::vector<Point>& points = selection.expansion.points;
    const std::size_t groups = group_points(points, selection.config.workloads, selection.lanes).size();
    const Searches searches = make_searches(selection.config, selection.catalogue, selection.lanes);
    std::ostream& out = *format == "json" ? std::cerr : std::cout;
    for (const Diagnostic& warning : selection.expansion.warnings) out << to_text(warning) << '\n';
    for (const Diagnostic& warning : searches.warnings) out << to_text(warning) << '\n';
    if (*format == "json") {
      print_json(points, groups, searches);
    } else {
      print_text(points, groups);
      print_searches(searches);
    }
    for (const std::string& unmet : selection.unmet) {
      tell("benchctl: {}\n", unmet);
      common.exit_code = point_failed;
    }
  });
}

}  // namespace benchctl::cli

// `benchctl collect`: one store of the shards' stores, and what is missing.
#include "cli/plan_folder.hpp"
#include "cli/terminal.hpp"
#include "model/visible.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using nlohmann::json;

std::vector<std::string> statuses_text(const StatusCounts& counts) {
  std::vector<std::string> texts;
  for (const auto& [status, count] : counts)
    texts.push_back(fmt::format("{} {}", count, to_string(status)));
  return texts;
}

void print_shard(std::size_t number, std::size_t count, const CollectedShard& shard) {
  if (shard.is_complete) return;
  const std::string name = fmt::format("shard {}/{}", number, count);
  if (shard.runs.empty()) {
    print_fitted("{}: no store has a run of it\n", name);
    return;
  }
  if (shard.missing.empty()) print_fitted("{}: a search is not at its end\n", name);
  if (!shard.missing.empty())
    print_fitted("{}: {} of {} points are missing\n", name, shard.missing.size(), shard.points);
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(shown, shard.missing.size()); ++i) {
    const MissingPoint& point = shard.missing[i];
    print_fitted("  {}: {}\n", visible(point.label), point.status);
  }
  if (shard.missing.size() > shown) print_fitted("  and {} more\n", shard.missing.size() - shown);
}

void print_collection(const PlanFolder& plan, const Collection& collection) {
  for (std::size_t i = 0; i < plan.shards; ++i) print_shard(i + 1, plan.shards, collection.shards[i]);
  std::size_t points = 0;
  for (const auto& [status, count] : collection.statuses) points += count;
  const std::size_t missing = collection.missing_shards().size();
  print_fitted("{} of {} shards are complete; {} points in {}{}{}\n", plan.shards - missing, plan.shards,
               points, visible(collection.store.string()), points > 0 ? ": " : "",
               fmt::join(statuses_text(collection.statuses), ", "));
}

void print_collection_json(const Collection& collection) {
  json shards = json::array();
  for (const CollectedShard& shard : collection.shards) {
    json missing = json::array();
    for (const MissingPoint& point : shard.missing)
      missing.push_back({{"label", point.label}, {"status", point.status}});
    json runs = json::array();
    for (const RunId run : shard.runs) runs.push_back(to_number(run));
    shards.push_back({{"runs", std::move(runs)},
                      {"points", shard.points},
                      {"missing", std::move(missing)},
                      {"complete", shard.is_complete}});
  }
  json statuses = json::object();
  for (const auto& [status, count] : collection.statuses) statuses[std::string(to_string(status))] = count;
  std::cout << json{{"schema", "benchctl.collection"},    {"schema_version", 1},
                    {"store", collection.store.string()}, {"statuses", std::move(statuses)},
                    {"shards", std::move(shards)},        {"missing_shards", collection.missing_shards()},
                    {"unreadable", collection.unreadable}}
                   .dump(2, ' ', false, json::error_handler_t::replace)
            << '\n';
}

void collect(Common& common, const std::string& folder, const std::string& format) {
  const PlanFolder plan = read_plan(folder);
  Workers workers;
  const Collection collection = collect_plan(plan, workers.plugins(common));
  for (const std::string& reason : collection.unreadable)
    tell("benchctl: left out: {}\n", visible_lines(reason));
  for (const RunId run : collection.foreign) {
    tell("benchctl: run {} of {} is not a shard of this plan\n", to_number(run), collection.store.string());
  }
  format == "json" ? print_collection_json(collection) : print_collection(plan, collection);
  if (!collection.missing_shards().empty()) common.exit_code = incomplete;
}

}  // namespace

void add_collect(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand(
      "collect", "Merge the stores of a plan's shards, and say what is missing (exit 6)");
  auto folder = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>();
  command
      ->add_option("folder", *folder,
                   "Folder of `submit` or `plan --shards --output`; the result is merged.db in it")
      ->required()
      ->type_name("FOLDER");
  add_format_option(*command, *format, {"text", "json"});
  command->callback([&common, folder, format] { collect(common, *folder, *format); });
}

}  // namespace benchctl::cli

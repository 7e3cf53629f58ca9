// `benchctl collect`: one store of the shards' stores, and what is missing.
#include "cli/sharding.hpp"
#include "cli/terminal.hpp"
#include "engine/run_record.hpp"
#include "model/json.hpp"
#include "model/keys.hpp"
#include "model/words.hpp"

#include <benchctl/file_draft.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

/// A point that no store has a result of.
struct MissingPoint {
  std::string label;
  std::string status;
};

struct CollectedShard {
  std::vector<RunId> runs;  ///< in the merged store; several where another device went on
  std::size_t points = 0;   ///< that some run of it knows
  std::vector<MissingPoint> missing;
  bool is_complete = false;  ///< nothing is missing, no search either
};

struct Collection {
  fs::path store;  ///< the merged one
  std::vector<CollectedShard> shards;
  StatusCounts statuses;                ///< how many points have each
  std::vector<std::string> unreadable;  ///< stores that could not be merged, with the reason
  std::vector<RunId> foreign;           ///< runs that are not shards of this plan
  std::vector<std::size_t> incomplete;  ///< numbers of shards, from 1
};

constexpr std::string_view merged_name = "merged.db";

/// By name, numbers in it by their value: shard-2 before shard-10.
std::vector<fs::path> stores_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path& file = entry.path();
    if (entry.is_regular_file() && file.extension() == ".db" && file.filename() != merged_name)
      files.push_back(file);
  }
  std::ranges::sort(files, {}, [](const fs::path& file) {
    const std::string name = file.filename().string();
    return std::pair(name.size(), name);
  });
  return files;
}

bool could_delete(Store& store, RunId run) {
  try {
    store.delete_runs(std::vector{run});
    return true;
  } catch (const StoreError&) {
    return false;  // a newer run uses the roofs that it measured
  }
}

/// A run that adds no result to those of newer ones is taken out.
CollectedShard collected(Store& store, const std::vector<RunRow>& newest_first, StatusCounts& statuses) {
  using PlannedPoint = std::pair<std::size_t, PointKey>;  // of a sweep
  CollectedShard shard;
  std::set<PlannedPoint> settled;
  std::map<PlannedPoint, MissingPoint> open;
  for (const RunRow& run : newest_first) {
    bool is_needed = shard.runs.empty();
    for (const PointRow& row : store.points(run.id)) {
      const PlannedPoint point(row.point.sweep, row.point);
      if (!row.finished) {
        open.try_emplace(point, MissingPoint{row.point.label(), std::string(to_string(row.point.status))});
      } else if (settled.insert(point).second) {
        ++statuses[row.point.status];
        is_needed = true;
      }
    }
    if (is_needed || !could_delete(store, run.id)) shard.runs.push_back(run.id);
  }
  for (const auto& [point, missing] : open) {
    if (!settled.contains(point)) shard.missing.push_back(missing);
  }
  shard.points = settled.size() + shard.missing.size();
  shard.is_complete =
      !newest_first.empty() && newest_first.front().state == RunState::complete && shard.missing.empty();
  return shard;
}

/// Looks for the shards in a store that all are merged into.
void find_shards(const PlanFolder& plan, const Selection& selection, const Shards& shards, Store& store,
                 Collection& collection) {
  std::unordered_map<std::string, std::vector<RunRow>> runs;  // newest first
  for (RunRow& run : store.runs()) runs[run.config_hash].push_back(std::move(run));
  for (std::size_t i = 0; i < plan.shards; ++i) {
    const std::string identity =
        identity_of(plan.selection) + identity_of(shards, Shard{i + 1, plan.shards});
    const auto own = runs.extract(config_hash(selection.config, identity));
    CollectedShard& shard = collection.shards.emplace_back(
        collected(store, own ? own.mapped() : std::vector<RunRow>(), collection.statuses));
    // With fewer problems than shards there is nothing to wait for.
    if (!own && shards.loads()[i].problems.empty()) shard.is_complete = true;
    if (!shard.is_complete) collection.incomplete.push_back(i + 1);
  }
  for (const auto& [hash, strangers] : runs) {
    for (const RunRow& run : strangers) collection.foreign.push_back(run.id);
  }
  std::ranges::sort(collection.foreign);
}

/// Merges all stores of the folder into `merged.db` in it, which is made anew, and looks for the shards in
/// it. The newest of several results of one point stays. Throws UsageError if this installation splits the
/// plan in another way than the one that made it, or if there are stores and none can be merged.
Collection collect_plan(const PlanFolder& plan, const PluginTable& plugins) {
  const Selection selection = read_selection(plan.selection, plugins);
  const Shards shards(selection.config, selection.catalogue, plan.selection.backends, plan.shards);
  if (shards.digest() != plan.split) {
    throw UsageError(
        fmt::format("this benchctl splits the plan in {} in another way than the one that made it: use the "
                    "same benchctl, plugins and config",
                    plan.folder));
  }
  Collection collection;
  collection.store = plan.folder / merged_name;
  const FileDraft draft(collection.store);
  {
    Store store = Store::open(draft.path());
    const std::vector<fs::path> files = stores_in(plan.folder);
    for (const fs::path& file : files) {
      try {
        static_cast<void>(store.merge(Store::open(file, Store::Access::read_only)));
      } catch (const StoreError& error) {
        collection.unreadable.emplace_back(error.what());
      }
    }
    if (!files.empty() && collection.unreadable.size() == files.size()) {
      // What an earlier call has merged stays.
      throw UsageError(fmt::format("none of the stores in {} could be merged:\n{}", plan.folder,
                                   fmt::join(collection.unreadable, "\n")));
    }
    find_shards(plan, selection, shards, store, collection);
  }
  Store::remove(collection.store);
  draft.commit();
  return collection;
}

void print_shard(const std::string& name, const CollectedShard& shard) {
  if (shard.is_complete) return;
  if (shard.runs.empty()) return print_fitted("{}: no store has a run of it\n", name);
  if (shard.missing.empty()) return print_fitted("{}: a search is not at its end\n", name);
  print_fitted("{}: {} of {} points are missing\n", name, shard.missing.size(), shard.points);
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(shown, shard.missing.size()); ++i)
    print_fitted("  {}: {}\n", visible(shard.missing[i].label), shard.missing[i].status);
  if (shard.missing.size() > shown) print_fitted("  and {} more\n", shard.missing.size() - shown);
}

void print_text(const Collection& collection) {
  const std::size_t count = collection.shards.size();
  for (std::size_t i = 0; i < count; ++i)
    print_shard(fmt::format("shard {}/{}", i + 1, count), collection.shards[i]);
  std::size_t points = 0;
  std::string statuses;
  for (const auto& [status, number] : collection.statuses) {
    points += number;
    statuses += fmt::format("{} {} {}", statuses.empty() ? ":" : ",", number, to_string(status));
  }
  print_fitted("{} of {} shards are complete; {} points in {}{}\n", count - collection.incomplete.size(),
               count, points, collection.store, statuses);
}

json to_json(const CollectedShard& shard) {
  const json missing = list_of(shard.missing, [](const MissingPoint& point) {
    return json{{"label", point.label}, {"status", point.status}};
  });
  return {{"runs", list_of(shard.runs, [](RunId run) { return json(to_number(run)); })},
          {"points", shard.points},
          {"missing", missing},
          {"complete", shard.is_complete}};
}

void print_json(const Collection& collection) {
  json statuses = json::object();
  for (const auto& [status, count] : collection.statuses) statuses[std::string(to_string(status))] = count;
  const auto shard_json = [](const CollectedShard& shard) { return to_json(shard); };
  write_json(json{{"schema", "benchctl.collection"},
                  {"schema_version", 1},
                  {"store", collection.store.string()},
                  {"statuses", statuses},
                  {"shards", list_of(collection.shards, shard_json)},
                  {"missing_shards", collection.incomplete},
                  {"unreadable", collection.unreadable}});
}

struct CollectArguments {
  std::string folder;
  bool allow_outside = false;
  std::string format;
};

void collect(Common& common, const CollectArguments& options) {
  const PlanFolder plan = read_plan(options.folder, options.allow_outside);
  const Collection collection = collect_plan(plan, Workers().plugins(common));
  for (const std::string& reason : collection.unreadable)
    tell("benchctl: left out: {}\n", visible_lines(reason));
  for (const RunId run : collection.foreign)
    tell("benchctl: run {} of {} is not a shard of this plan\n", to_number(run), collection.store);
  options.format == "json" ? print_json(collection) : print_text(collection);
  if (!collection.incomplete.empty()) common.exit_code = incomplete;
}

}  // namespace

std::vector<std::size_t> missing_shards(const PlanFolder& plan, const PluginTable& plugins) {
  return collect_plan(plan, plugins).incomplete;
}

void add_collect(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "collect", "Merge the stores of a plan's shards, and say what is missing", &collect);
  add_value(command, "folder", options.folder, "FOLDER",
            "Folder of `submit` or `plan --shards --output`; the result is merged.db in it")
      ->required();
  add_outside_option(command, options.allow_outside);
  add_format_option(command, options.format, {"text", "json"});
}

}  // namespace benchctl::cli

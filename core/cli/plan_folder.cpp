#include "cli/plan_folder.hpp"

#include "engine/run_record.hpp"
#include "model/json_words.hpp"
#include "store/store.hpp"
#include "sweep/stored_config.hpp"

#include <benchctl/file_draft.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <unordered_map>

namespace benchctl {

BENCHCTL_JSON_RECORD(cli::SelectionOptions, config, set, filters, backends, devices, require, allow_outside,
                     timeout_seconds)
BENCHCTL_JSON_RECORD(cli::PlanFolder, name, shards, split, selection, jobs)

namespace cli {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

fs::path plan_file(const fs::path& folder) { return folder / "plan.json"; }

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

/// A point of the plan, whichever device measured it.
using PointName = std::pair<std::size_t, std::string>;  // sweep and label

PointName name_of(const PointRow& row) { return {row.point.sweep, row.point.label()}; }

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
  CollectedShard shard;
  std::set<PointName> settled;
  std::map<PointName, std::string> open;
  for (const RunRow& run : newest_first) {
    bool is_needed = shard.runs.empty();
    for (const PointRow& row : store.points(run.id)) {
      if (!row.finished) {
        open.emplace(name_of(row), to_string(row.point.status));
      } else if (settled.insert(name_of(row)).second) {
        ++statuses[row.point.status];
        is_needed = true;
      }
    }
    if (is_needed || !could_delete(store, run.id)) shard.runs.push_back(run.id);
  }
  for (const auto& [name, status] : open) {
    if (!settled.contains(name)) shard.missing.push_back({name.second, status});
  }
  shard.points = settled.size() + shard.missing.size();
  shard.is_complete =
      !newest_first.empty() && newest_first.front().state == RunState::complete && shard.missing.empty();
  return shard;
}

}  // namespace

void save(const PlanFolder& plan) {
  json document = written(plan);
  document["schema"] = "benchctl.plan";
  document["schema_version"] = 1;
  document["selection"]["config"] =
      fs::path(plan.selection.config).lexically_relative(plan.folder).string();
  replace_file(plan_file(plan.folder), document.dump(2) + '\n');
}

PlanFolder write_plan(const fs::path& folder, const SelectionOptions& options, const Selection& selection,
                      const Shards& shards) {
  PlanFolder plan{.folder = fs::absolute(folder).lexically_normal(),
                  .selection = options,
                  .name = selection.config.experiment.name,
                  .shards = shards.loads().size(),
                  .split = shards.digest(),
                  .jobs = {}};
  if (fs::exists(plan_file(plan.folder))) {
    throw UsageError(
        fmt::format("{} has a plan already: give another folder, or delete this one with its results",
                    folder.string()));
  }
  const fs::path home = place_files(files_of(selection.config), plan.folder / "config");
  const fs::path config = home / (selection.config.experiment.name + ".toml");
  write_output(selection.config.text, config.string());
  plan.selection.config = config.string();
  plan.selection.allow_outside = home != plan.folder / "config";
  save(plan);
  return plan;
}

PlanFolder read_plan(const fs::path& folder) {
  const fs::path file = plan_file(folder);
  if (!fs::exists(file)) {
    throw UsageError(fmt::format(
        "{} has no plan.json: `benchctl plan CONFIG --shards N --output FOLDER` or `benchctl submit` makes "
        "such a folder",
        folder.string()));
  }
  PlanFolder plan;
  plan.folder = fs::absolute(folder).lexically_normal();
  try {
    read(json::parse(read_file(file)), plan);
    plan.selection.config = (plan.folder / plan.selection.config).string();
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{} is not a plan of benchctl: {}", file.string(), error.what()));
  }
  if (plan.shards == 0 || plan.shards > max_shards)
    throw UsageError(
        fmt::format("{}: 'shards' is {}; expected 1 to {}", file.string(), plan.shards, max_shards));
  return plan;
}

std::vector<std::size_t> Collection::missing_shards() const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (!shards[i].is_complete) numbers.push_back(i + 1);
  }
  return numbers;
}

Collection collect_plan(const PlanFolder& plan, const PluginTable& plugins) {
  const Selection selection = read_selection(plan.selection, plugins);
  const Shards shards(selection.config, selection.catalogue, plan.selection.backends, plan.shards);
  if (shards.digest() != plan.split) {
    throw UsageError(fmt::format(
        "this benchctl splits the plan in {} in another way than the one that made it: use the same "
        "benchctl, plugins and config",
        plan.folder.string()));
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
      throw UsageError(fmt::format("none of the stores in {} could be merged:\n{}", plan.folder.string(),
                                   fmt::join(collection.unreadable, "\n")));
    }
    std::unordered_map<std::string, std::vector<RunRow>> runs;  // newest first
    for (RunRow& run : store.runs()) runs[run.config_hash].push_back(std::move(run));
    for (std::size_t i = 0; i < plan.shards; ++i) {
      const Shard shard{i + 1, plan.shards};
      const std::string hash =
          config_hash(selection.config, identity_of(plan.selection) + identity_of(shards, shard));
      const std::vector<RunRow> own = std::move(runs[hash]);
      runs.erase(hash);
      collection.shards.push_back(collected(store, own, collection.statuses));
      // With fewer problems than shards there is nothing to wait for.
      const ShardLoad& load = shards.loads()[i];
      if (own.empty() && load.problems.empty()) collection.shards.back().is_complete = true;
    }
    for (const auto& [hash, strangers] : runs) {
      for (const RunRow& run : strangers) collection.foreign.push_back(run.id);
    }
    std::ranges::sort(collection.foreign);
  }
  Store::remove(collection.store);
  draft.commit();
  return collection;
}

}  // namespace cli

}  // namespace benchctl

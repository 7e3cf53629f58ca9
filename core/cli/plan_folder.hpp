// A plan that several machines share: a folder with the config, what the command line says of its points,
// the number of shards, and one store for each shard; these stores in one, and what is missing of the plan.
#pragma once

#include "cli/selection.hpp"
#include "cli/sharding.hpp"
#include "store/records.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace benchctl::cli {

struct PlanFolder {
  std::filesystem::path folder;
  /// With the copy of the config in the folder.
  SelectionOptions selection;
  std::string name;               ///< the experiment's
  std::size_t shards = 1;         ///< how many
  std::string split;              ///< Shards::digest()
  std::vector<std::string> jobs;  ///< that were submitted for it, by the scheduler's numbers
};

/// Writes the config with its files and `plan.json` into a folder, which is made. Throws UsageError if the
/// folder has another plan, std::runtime_error if it cannot be written.
[[nodiscard]] PlanFolder write_plan(const std::filesystem::path& folder, const SelectionOptions& options,
                                    const Selection& selection, const Shards& shards);
/// Writes `plan.json` again. Throws std::runtime_error.
void save(const PlanFolder& plan);

/// Throws UsageError if there is no plan in the folder.
[[nodiscard]] PlanFolder read_plan(const std::filesystem::path& folder);

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
  std::filesystem::path store;  ///< the merged one
  std::vector<CollectedShard> shards;
  StatusCounts statuses;                ///< how many points have each
  std::vector<std::string> unreadable;  ///< stores that could not be merged, with the reason
  std::vector<RunId> foreign;           ///< runs that are not shards of this plan
  [[nodiscard]] std::vector<std::size_t> missing_shards() const;  ///< from 1
};

/// Merges all stores of the folder into `merged.db` in it, which is made anew, and looks for the shards in
/// it. The newest of several results of one point stays. Throws UsageError if this installation splits the
/// plan in another way than the one that made it, or if there are stores and none can be merged.
[[nodiscard]] Collection collect_plan(const PlanFolder& plan, const PluginTable& plugins);

}  // namespace benchctl::cli

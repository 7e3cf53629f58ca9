// The stores of a plan's shards in one, and what is missing of the plan.
#pragma once

#include "cli/plan_folder.hpp"
#include "store/records.hpp"

namespace benchctl::cli {

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

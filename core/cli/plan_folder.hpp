// A plan that several machines share: a folder with the config, what the command line says of its points,
// the number of shards, and one store for each shard.
#pragma once

#include "cli/selection.hpp"
#include "cli/sharding.hpp"

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

}  // namespace benchctl::cli

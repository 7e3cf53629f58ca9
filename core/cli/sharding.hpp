// A plan that several machines measure: one part of it (`--shard`), and the folder that they
// share, with the config, what the command line says of its points, and one store for each shard.
#pragma once

#include "cli/selection.hpp"
#include "engine/coordinator.hpp"
#include "sweep/shards.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::cli {

/// Which of how many, from 1.
struct Shard {
  std::size_t number = 1;
  std::size_t count = 1;
};

/// Shards that a plan may have.
inline constexpr std::size_t max_shards = 65'536;

/// Adds --shard.
void add_shard_option(CLI::App& command, std::string& text);

/// The value of --shard; nothing if it is empty. Throws UsageError.
[[nodiscard]] std::optional<Shard> shard_from(std::string_view text);

/// Appended to a selection's identity_of() if one of these shards is measured.
[[nodiscard]] std::string identity_of(const Shards& shards, const Shard& shard);

/// Takes points and searches of other shards out of a selection. False if that leaves nothing, as where the
/// plan has fewer problems than shards: standard error says so.
[[nodiscard]] bool keep_shard(Selection& selection, RunOptions& run,
                              const std::vector<std::string>& backends, const Shard& shard);

/// `plan --shards`: what each shard has to measure.
void print_shards(const Shards& shards);

/// As many shards as are asked for or, where there are fewer problems, as these fill: standard error says
/// so. Throws UsageError if there is nothing to measure.
[[nodiscard]] Shards filled_shards(const SelectionOptions& options, const Selection& selection,
                                   std::size_t count);

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

/// Throws UsageError if there is no plan in the folder, or as tell_foreign_owner: it names the config and
/// what that may read.
[[nodiscard]] PlanFolder read_plan(const std::filesystem::path& folder, bool allow_outside);

/// Merges the stores of the folder as `benchctl collect` does, and tells which shards miss something, by
/// their numbers from 1. Throws UsageError.
[[nodiscard]] std::vector<std::size_t> missing_shards(const PlanFolder& plan, const PluginTable& plugins);

}  // namespace benchctl::cli

// `--shard` and `--shard-of`: one part of a plan that several machines measure.
#pragma once

#include "cli/selection.hpp"
#include "engine/coordinator.hpp"
#include "sweep/shards.hpp"

#include <optional>
#include <string>

namespace benchctl::cli {

struct ShardOptions {
  std::string shard;
  std::string hosts;
};

/// Which of how many, from 1.
struct Shard {
  std::size_t number = 1;
  std::size_t count = 1;
};

/// Shards that a plan may have.
inline constexpr std::size_t max_shards = 65'536;

/// Adds --shard and --shard-of.
void add_shard_options(CLI::App& command, ShardOptions& options);

/// Nothing if the command line asks for no shard. Throws UsageError.
[[nodiscard]] std::optional<Shard> shard_from(const ShardOptions& options);

/// Appended to a selection's identity_of() if one of these shards is measured.
[[nodiscard]] std::string identity_of(const Shards& shards, const Shard& shard);

/// Takes points and searches of other shards out of a selection. False if that leaves nothing, as where the
/// plan has fewer problems than shards: standard error says so.
[[nodiscard]] bool keep_shard(Selection& selection, RunOptions& run,
                              const std::vector<std::string>& backends, const Shard& shard);

/// `plan --shards`: what each shard has to measure.
[[nodiscard]] std::string shards_text(const Shards& shards);
[[nodiscard]] std::string shards_json(const Shards& shards);

}  // namespace benchctl::cli

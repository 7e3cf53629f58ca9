// The script with which a scheduler runs the shards of a plan.
#pragma once

#include "cli/plan_folder.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace benchctl::cli {

/// What `submit` says to Slurm. Empty: Slurm's default.
struct JobOptions {
  std::size_t nodes = 0;  ///< at a time; 0: as many as there are shards
  std::string gres;
  std::string time;
  std::string partition;
  std::vector<std::string> more;  ///< options of sbatch as they are: `--account=physics`
  bool share_nodes = false;       ///< other jobs may run on a node while it measures
  std::string expected;           ///< file with the devices that each node must have
};

/// A word of a shell's command line, in quotes where it needs them.
[[nodiscard]] std::string shell_word(std::string_view text);

/// The script for these shards of the plan, from core/cli/scaffold/slurm/job.sh.in. `plugins` name the
/// variables that choose their devices. Throws UsageError for what a line of `#SBATCH` cannot have.
[[nodiscard]] std::string job_script(const PlanFolder& plan, const std::vector<std::size_t>& shards,
                                     const JobOptions& options, const PluginTable& plugins,
                                     const Common& common);

}  // namespace benchctl::cli

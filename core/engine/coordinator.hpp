// `benchctl run`: from a config to stored measurements. Touches no driver itself.
#pragma once

#include "config/config.hpp"
#include "engine/finals.hpp"
#include "engine/host.hpp"
#include "engine/machine_lock.hpp"
#include "engine/progress.hpp"
#include "store/records.hpp"
#include "sweep/expand.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

/// One of several processes that measure a run in turns, for a caller that holds the machine's lock, has
/// left out observers that fail, and completes the run itself: until then it is interrupted.
struct OneOfSeveral {
  std::optional<RunId> run = {};  ///< whose points with times get a replicate; none: a new run begins
};

struct RunOptions {
  std::filesystem::path store;
  std::filesystem::path folder;      ///< for files of this run
  std::filesystem::path cache;       ///< compiled kernels; empty: none are kept
  std::vector<std::string> filters;  ///< patterns of point labels: a point that none matches is left out
  std::string command;               ///< as it was typed
  std::string identity;              ///< what of the command line decides which points there are
  std::optional<double> budget_seconds;
  double timeout_seconds = 120;  ///< limit for one verb of one point
  bool fresh = false;            ///< never resume
  bool reuse = false;            ///< take matching points from older runs
  bool device_debug = false;
  bool allow_programs = false;  ///< data programs of the config may run
  bool offline_compile = true;  ///< compile in processes of their own where the backend can
  bool wait = false;            ///< for another benchctl that is measuring
  std::optional<OneOfSeveral> replicate = {};
  /// Is that point in the shard that the run is? One of a search stands for all of it. Where an interrupted
  /// run cannot be resumed since another device is there now, a new run leaves out what an equal one (of
  /// the same name, driver and architecture) finished. Each run keeps to its device.
  std::function<bool(const Point&)> in_shard = {};
  std::optional<std::uint64_t> seed = {};  ///< for a new run whose config fixes none; otherwise drawn
  /// What budgets and caps are measured by; none: the steady clock without the time in which this process
  /// was stopped. Tests have one that does not depend on the machine.
  std::function<double()> clock = {};
  /// Where processes are looked for that use the processors beside the run.
  std::filesystem::path proc = "/proc";

  /// Is a replicate added to a run that is there?
  [[nodiscard]] bool adds_replicate() const { return replicate && replicate->run; }
};

struct RunOutcome {
  RunId run{};
  std::map<Status, std::size_t> counts;
  bool interrupted = false;
  bool out_of_budget = false;
  std::size_t missed_targets = 0;       ///< points that a cap ended outside their target
  std::vector<SearchSummary> searches;  ///< what each search found that is at its end
  std::size_t unfinished_searches = 0;
};

/// Runs every open point of an expansion, then the searches of the config. Throws StoreError, MachineBusy,
/// Interrupted (while waiting for the machine), ConfigErrors (too many searches, a program that
/// is not allowed).
[[nodiscard]] RunOutcome run_points(const Config& config, Expansion expansion, const LaneTable& lanes,
                                    const Catalogue& catalogue, const PluginTable& plugins,
                                    ChannelFactory& factory, const RunOptions& options, Progress& progress);

}  // namespace benchctl

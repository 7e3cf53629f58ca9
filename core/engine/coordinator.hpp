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
  /// Where an interrupted run cannot be resumed since another device is there now, a new run leaves out
  /// what an equal one (of the same name, driver and architecture) finished. Each run keeps to its device.
  bool leave_out_finished = false;
  bool device_debug = false;
  bool allow_programs = false;  ///< data programs of the config may run
  bool offline_compile = true;  ///< compile in processes of their own where the backend can
  bool wait = false;            ///< for another benchctl that is measuring
  /// The caller holds the machine's lock, and has left out observers that fail.
  bool machine_is_ready = false;
  /// The caller adds replicates one by one and completes the run itself: until then it is interrupted.
  bool open_ended = false;
  /// Adds a replicate, in fresh processes, to all points of this open-ended run that have times.
  std::optional<RunId> replicate_of = {};
  /// Which searches are this run's, by a point of theirs; none: all.
  std::function<bool(const Point&)> has_search = {};
  std::optional<std::uint64_t> seed = {};  ///< for a new run whose config fixes none; otherwise drawn
  /// What budgets and caps are measured by; none: the steady clock without the time in which this process
  /// was stopped. Tests have one that does not depend on the machine.
  std::function<double()> clock = {};
  /// Where processes are looked for that use the processors beside the run.
  std::filesystem::path proc = "/proc";
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

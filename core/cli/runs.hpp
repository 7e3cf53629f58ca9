// Runs as the command line names them, in one or several stores.
#pragma once

#include "cli/command.hpp"
#include "report/report.hpp"
#include "sweep/stored_config.hpp"

#include <memory>

namespace benchctl::cli {

/// Stores that are open, and runs in them.
struct NamedRuns {
  std::vector<std::unique_ptr<Store>> stores;
  std::vector<ReportSource> sources;
};

/// Opens the stores and finds the runs. A name is a run's number, a baseline's name, `all`, or one of these
/// after a store's file and a colon (`other.db:3`, `other.db:all`); a file alone stands for its newest run.
/// Without a name: the newest run of each store. `complete`: the newest that is complete. Throws UsageError
/// for a name that is in no store or in several.
[[nodiscard]] NamedRuns open_runs(const std::vector<std::string>& stores,
                                  const std::vector<std::string>& names, bool complete = false);
/// The same for one run, in the command's store or another; an empty name stands for the newest. Throws
/// UsageError for a name of several.
[[nodiscard]] NamedRuns open_run(const Common& common, const std::string& name, bool complete = false);

/// The files that a run's config brought along.
[[nodiscard]] NamedContents files_of(const Store& store, RunId run);

/// A run of a store that is open, by number or baseline; an empty name stands for the newest. Throws
/// UsageError.
[[nodiscard]] RunRow run_in(const Store& store, const std::string& name);

}  // namespace benchctl::cli

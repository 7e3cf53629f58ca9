// What `run` and `tune` share: how a selection is measured, and how a run ended.
#pragma once

#include "cli/selection.hpp"
#include "engine/coordinator.hpp"

namespace benchctl::cli {

/// How a run ended: its exit code, and that in words.
struct Ending {
  int code = success;
  std::string meaning;
};
/// `strict`: unstable points and missed targets fail, too.
[[nodiscard]] Ending ending_of(const RunOutcome& outcome, bool strict);

/// Adds --db, --budget, --fresh, --reuse, --wait, --quiet.
void add_measuring_options(CLI::App& command, Common& common, RunOptions& options, std::string& budget);

/// What follows from the rest of the command line: store, folders, filters, budget, identity.
void complete(RunOptions& options, const Common& common, const Workers& workers,
              const SelectionOptions& selection, const std::string& budget);

/// The last line on standard error, where the result does not say all.
void tell_unfinished(const RunOptions& options, const RunOutcome& outcome, const Ending& ending);

}  // namespace benchctl::cli

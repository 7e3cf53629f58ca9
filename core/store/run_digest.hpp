// What a run holds, as a hash that does not depend on the numbers that a store gives. For core/store/*.cpp
// only.
#pragma once

#include "store/database.hpp"

#include <string>

namespace benchctl {

/// Digest of when, where and from what config a run was made: equal for the same run in two stores,
/// whatever has become of it.
[[nodiscard]] std::string run_identity(SQLite::Database& database, RunId run);

/// Digest of all that is stored of a run: points, samples, results, lanes, roofs, events. A run that says
/// `running` though its owner is dead counts as interrupted.
/// `samples`: false leaves out the samples, and what pruning wrote in place of them.
[[nodiscard]] std::string run_digest(SQLite::Database& database, RunId run, bool samples = true);
/// Were samples of the run dropped?
[[nodiscard]] bool is_pruned(SQLite::Database& database, RunId run);

}  // namespace benchctl

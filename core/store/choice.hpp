// Which points of a long run a short table shows. For core/store/*.cpp only.
#pragma once

#include "store/database.hpp"

#include <utility>

namespace benchctl {

/// The keys of a run's points as a JSON array, with no more than `limit` points that have times: the
/// fastest of each problem, way of measuring and device (those that the run has named, then by the median),
/// then the second fastest of each, and so on. And how many points that leaves out.
[[nodiscard]] std::pair<std::string, StatusCounts> choose_fastest(SQLite::Database& database, RunId run,
                                                                  std::size_t limit);

}  // namespace benchctl

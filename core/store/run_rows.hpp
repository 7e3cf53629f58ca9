// What other files of this room read of runs.
#pragma once

#include "store/database.hpp"

#include <vector>

namespace benchctl {

/// In the order in which the run lists them.
[[nodiscard]] std::vector<Lane> read_lanes(SQLite::Database& database, RunId run);

}  // namespace benchctl

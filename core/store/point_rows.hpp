// Reading points: shared by what lists points and what lists results. For core/store/*.cpp only.
#pragma once

#include "store/database.hpp"

namespace benchctl {

/// `SELECT` with the columns that read_point takes, up to and without WHERE.
extern const std::string_view select_points;

[[nodiscard]] PointRow read_point(SQLite::Statement& statement);

}  // namespace benchctl

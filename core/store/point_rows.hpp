// Reading points: shared by what lists points and what lists results. For core/store/*.cpp only.
#pragma once

#include "store/database.hpp"

namespace benchctl {

/// `SELECT` with the columns that PointReader takes, up to and without WHERE.
extern const std::string_view select_points;

/// Most points have a problem and settings in common with the one before: a text that is the same is
/// decoded once.
class PointReader {
 public:
  /// The point in the statement's current row.
  [[nodiscard]] PointRow read(SQLite::Statement& statement);

 private:
  template <class Value>
  struct Last {
    std::string text;
    std::optional<Value> value;  ///< of that text; nothing before the first
  };
  Last<Parameters> problem_;
  Last<Parameters> tunables_;
  Last<MeasureSettings> measure_;
};

}  // namespace benchctl

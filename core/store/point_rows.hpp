// Reading points: shared by what lists points and what lists results. For core/store/*.cpp only.
#pragma once

#include "store/database.hpp"

namespace benchctl {

/// `SELECT` with the columns that PointReader takes, up to and without WHERE.
extern const std::string_view select_points;

/// The status of that name; std::invalid_argument if there is none.
[[nodiscard]] Status decode_status(std::string_view word);

/// Most points have their problem, tunables and settings in common with others: a text is decoded once.
class PointReader {
 public:
  /// The point in the statement's current row.
  [[nodiscard]] PointRow read(SQLite::Statement& statement);

 private:
  template <class Value>
  using Decoded = std::map<std::string, Value, std::less<>>;  ///< by text
  Decoded<SharedParameters> parameters_;
  Decoded<MeasureSettings> measure_;
};

}  // namespace benchctl

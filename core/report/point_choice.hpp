// How people name one stored point: `3:14` is point 14 of run 3.
#pragma once

#include "report/rows.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace benchctl {

/// No point, or more than one, has that name; the text says which there are.
class PointChoiceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A point among all those of its run.
struct PointChoice {
  RunRow run;
  std::vector<Lane> lanes;      ///< the run's devices
  std::vector<ResultRow> rows;  ///< all points of the run, by ordinal
  std::size_t index = 0;        ///< into `rows`

  [[nodiscard]] const ResultRow& row() const { return rows[index]; }
  [[nodiscard]] const Point& point() const { return row().point(); }
  /// Its device as the run found it; null for a point without a device.
  [[nodiscard]] const Lane* lane() const;
  /// `3:14`.
  [[nodiscard]] std::string name() const;
};

/// What `choose_point` understands, for help texts.
inline constexpr std::string_view point_forms =
    "NUMBER of the newest run, RUN:NUMBER, or a pattern of its label ('*tiled*n=512*', RUN:PATTERN); RUN "
    "is a number or "
    "the name of a baseline";

/// `3:14` for point 14 of run 3.
[[nodiscard]] std::string point_name(const PointRow& row);

/// Finds the point that a text names: `14`, `3:14` or `release:14` by its number (without a run: of the
/// newest), anything else as a pattern of labels, `3:*tiled*`, that exactly one point of the run matches.
/// Throws PointChoiceError, StoreError.
[[nodiscard]] PointChoice choose_point(const Store& store, const std::string& text);

}  // namespace benchctl

// How people name one stored point, `3:14` for point 14 of run 3, and how tables name points.
#pragma once

#include "model/point.hpp"
#include "store/store.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// No point, or more than one, has that name; the text says which there are.
class PointNotFound : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A point among all those of its run.
struct FoundPoint {
  RunRow run;
  std::vector<Lane> lanes;   ///< the run's devices
  std::vector<Result> rows;  ///< all points of the run, by ordinal
  std::size_t index = 0;     ///< into `rows`

  [[nodiscard]] const Result& row() const { return rows[index]; }
  [[nodiscard]] const Point& point() const { return row().point(); }
  /// Its device as the run found it; null for a point without a device.
  [[nodiscard]] const Lane* lane() const { return find_lane(lanes, point().device); }
  /// `3:14`.
  [[nodiscard]] std::string name() const;
};

/// What `choose_point` understands, for help texts.
inline constexpr std::string_view point_forms =
    "NUMBER of the newest run, RUN:NUMBER, or a pattern of its label ('*tiled*n=512*', RUN:PATTERN); RUN "
    "is a number or the name of a baseline";

/// `3:14` for point 14 of run 3.
[[nodiscard]] std::string point_name(const PointRow& row);

/// Finds the point that a text names: `14`, `3:14` or `release:14` by its number (without a run: of the
/// newest), anything else as a pattern of labels, `3:*tiled*`, that exactly one point of the run matches.
/// Throws PointNotFound, StoreError.
[[nodiscard]] FoundPoint choose_point(const Store& store, const std::string& text);

/// Names points of a table by those parameters only in which they differ.
class PointWords {
 public:
  /// Call for every point of the table first.
  void add(const Point& point);

  /// Problem parameters that vary among the points of the workload; all where there is one problem only.
  [[nodiscard]] std::string problem(const Point& point) const;
  /// The variant, its tunables that vary, the layout, the settings that tell it apart.
  [[nodiscard]] std::string variant(const Point& point) const;
  /// `device, hot, stream`.
  [[nodiscard]] static std::string measured_as(const Point& point);

 private:
  /// A parameter's first value, and whether there is another.
  struct Occurring {
    Value first;
    bool vary = false;
  };
  using Values = std::map<std::string, Occurring>;

  static void note(const Parameters& parameters, Values& values);
  static Parameters varying(const Parameters& parameters, const Values& values);

  std::map<std::string, Values> problems_;                          ///< by workload
  std::map<std::pair<std::string, std::string>, Values> tunables_;  ///< by workload and variant
};

/// The point's label and how it was measured: no other point of a run is called so.
[[nodiscard]] std::string full_label(const Point& point);

}  // namespace benchctl

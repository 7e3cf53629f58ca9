// Who is the fastest of each device, problem by problem: computed from the stored rounds of a run and
// stored with its points. Reports only read it (report/rank.hpp).
#pragma once

#include "engine/run_context.hpp"
#include "model/keys.hpp"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

class RunComparisons {
 public:
  /// `question`: that of the config.
  RunComparisons(Store& store, const std::vector<RunPoint>& points, const Catalogue& catalogue,
                 std::string question, double threshold)
      : store_(store),
        points_(points),
        catalogue_(catalogue),
        question_(std::move(question)),
        threshold_(threshold) {}

  /// What the points of a workload are asked about (model/point.hpp).
  [[nodiscard]] const std::string& axis(const std::string& workload);

  /// Compares anew whatever competes with one of these points. `baselines` holds their comparisons with the
  /// baselines of paired rounds.
  void update(std::span<const std::size_t> points, const std::map<PointId, Comparison>& baselines);
  /// Once predictions are stored: where the fastest turns out to be above a roof, it wins no more.
  void revise(RunId run);

 private:
  /// Points that compete: one problem, one device, measured in one way.
  using Table = std::pair<RivalKey, std::string>;
  [[nodiscard]] static Table table_of(const Point& point) { return {RivalKey(point), point.device}; }
  void number_points();
  void compare(const std::vector<std::size_t>& table, const std::map<PointId, Comparison>& baselines);
  [[nodiscard]] bool is_vendor(const Point& point) const;

  Store& store_;
  const std::vector<RunPoint>& points_;
  const Catalogue& catalogue_;
  std::string question_;
  double threshold_;
  std::map<Table, std::vector<std::size_t>> tables_;
  std::size_t numbered_ = 0;  ///< number of points that are in tables_
  struct Axis {
    std::string name;
    std::size_t points = 0;  ///< points of the run when it was found
  };
  std::map<std::string, Axis> axes_;  ///< by workload
};

}  // namespace benchctl

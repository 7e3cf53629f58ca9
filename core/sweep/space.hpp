// What a sweep comes to: targets (lanes, and backends that have none), the variants placed on them with the
// axes that each has there, and the point that a combination of values is. Internal to this room.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"
#include "workloads/workload.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace benchctl {

/// What a sweep runs on, with the axes and measure settings that the overrides leave it.
struct Target {
  const BackendEntry* backend = nullptr;
  const Lane* lane = nullptr;                 ///< null: the backend has no device
  std::string name;                           ///< the lane's, or just the backend's
  std::string no_device = {};                 ///< why there is no lane
  Status no_device_status = Status::skipped;  ///< what that makes of its points
  std::vector<Axis> axes = {};                ///< the sweep's as written, then those that overrides add
  MeasureSettings measure = {};
};

/// The absent backends that the sweep means: those that it names, or all if it names none.
[[nodiscard]] std::vector<const AbsentBackend*> absent_backends(const Sweep& sweep,
                                                                const Catalogue& catalogue);

/// What may be an axis for these variants: parameters of the workload, `layout`, tunables, and measure
/// settings that are words.
[[nodiscard]] Names axes_of(const Workload& workload, const std::vector<const VariantInfo*>& variants);

enum class AxisClass : std::uint8_t { problem, layout, measure, tunable };

[[nodiscard]] AxisClass class_of(const Workload& workload, const std::string& axis);

/// Axes that advance together: one free axis, or those of a zip group that the variant has.
struct Dimension {
  std::vector<const Axis*> axes;
  std::vector<AxisClass> classes;  ///< those of the axes
  /// Places of the values to take: a variant may lack some of the tied axes, and the others then repeat
  /// themselves.
  std::vector<std::size_t> places;
  [[nodiscard]] std::uint32_t length() const { return static_cast<std::uint32_t>(places.size()); }
};

/// A variant on a target, with the dimensions that it has there.
struct Placement {
  const Target* target = nullptr;
  const VariantInfo* variant = nullptr;
  std::vector<Dimension> dimensions;
  SharedParameters tunables;  ///< defaults
  std::string layout;         ///< when no axis says
  Expect expect = Expect::right;
};

/// The selected variants of a backend, each once, in the order in which the sweep names them.
[[nodiscard]] std::vector<const VariantInfo*> selected_variants(const Sweep& sweep,
                                                                const BackendEntry& backend);
/// What the sweep says of a variant's results.
[[nodiscard]] Expect expectation(const Sweep& sweep, const std::string& variant);

/// Gives the axes of a dimension their values at `place`.
void apply(const Dimension& dimension, std::size_t place, Point& point);

/// All of it for one sweep of a config.
class SweepSpace {
 public:
  /// `index`: of the sweep in the config. All of it must outlive the object.
  SweepSpace(const Config& config, std::size_t index, const Catalogue& catalogue, const LaneTable& lanes,
             Reporter& warnings);
  SweepSpace(const SweepSpace&) = delete;
  SweepSpace& operator=(const SweepSpace&) = delete;

  [[nodiscard]] const Workload& workload() const { return workload_; }
  [[nodiscard]] const std::vector<Target>& targets() const { return targets_; }
  /// By target, then in the order of selected_variants().
  [[nodiscard]] const std::vector<Placement>& placements() const { return placements_; }

  /// What a placement has before its dimensions say otherwise.
  [[nodiscard]] Point start(const Placement& placement) const;
  /// From there to a point: defaults filled in, conditions and limits applied. Status::skipped with the
  /// reason when it cannot run. Quick for points of one problem in a row.
  [[nodiscard]] Point finished(const Placement& placement, Point point);

 private:
  /// What all points of one problem in one layout and of one size share.
  struct Problem {
    SharedParameters given;  ///< by the axes, with tunables of sizes
    std::string layout;
    SharedParameters complete;
    ProblemSpec spec;
    std::string error;  ///< why there is no such problem
  };

  const Problem& problem(const Point& given);
  [[nodiscard]] std::string obstacle(const Point& point, const Placement& placement,
                                     const Problem& problem);
  [[nodiscard]] std::string excluded_by_condition(const Point& point, const Lane* lane);
  void report(const Condition& condition, const ExpressionError& error, const Parameters& values);

  const Sweep& sweep_;
  std::size_t index_;
  const Workload& workload_;
  Reporter& warnings_;
  std::vector<Target> targets_;
  std::vector<Placement> placements_;
  std::set<const Condition*> reported_;  ///< those that could not be evaluated
  std::optional<Problem> problem_;       ///< the last point's
};

}  // namespace benchctl

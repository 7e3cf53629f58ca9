#include "sweep/expand.hpp"

#include "sweep/absent_rows.hpp"
#include "sweep/candidates.hpp"
#include "sweep/point_hash.hpp"
#include "sweep/point_maker.hpp"
#include "sweep/search.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace benchctl {

namespace {

/// Points that are measured alike and come out alike.
struct EqualPoints {
  static std::size_t hash(const Point& point) {
    std::size_t hash = mixed(hash_of(point.problem), hash_of(point.tunables));
    for (const std::string* text : {&point.workload, &point.variant, &point.device, &point.layout}) {
      hash = mixed(hash, std::hash<std::string>{}(*text));
    }
    return mixed(hash, point.measure.seed);
  }
  static bool same(const Point& a, const Point& b) {
    return a.variant == b.variant && a.device == b.device && a.layout == b.layout && a.expect == b.expect &&
           a.workload == b.workload && equal(a.tunables, b.tunables) && equal(a.problem, b.problem) &&
           a.measure == b.measure;
  }
};

/// Points of all sweeps, each once.
class PointList {
 public:
  explicit PointList(std::vector<Point>& points) : points_(points), known_(points) {}

  /// Makes room once for many: a list of a million points that grows step by step takes twice the memory.
  void expect(std::size_t more) {
    const std::size_t needed = points_.size() + more;
    if (needed <= points_.capacity()) return;
    points_.reserve(std::max(needed, points_.capacity() * 2));
    known_.reserve(points_.capacity());
  }

  /// Of two equal points the one that can run stays.
  void add(Point&& point) {
    points_.push_back(std::move(point));
    const std::size_t first = known_.first_like(points_.size() - 1);
    if (first == points_.size() - 1) return;
    if (points_[first].status == Status::skipped) points_[first] = std::move(points_.back());
    points_.pop_back();
  }

 private:
  std::vector<Point>& points_;
  PointSet<EqualPoints> known_;
};

/// One sweep on its way to points.
class SweepExpansion {
 public:
  SweepExpansion(const Config& config, std::size_t index, const Catalogue& catalogue,
                 const LaneTable& lanes, Reporter& warnings)
      : config_(config),
        sweep_(config.sweeps[index]),
        index_(index),
        workload_(*find_workload(sweep_.workload.text)),
        warnings_(warnings),
        targets_(sweep_targets(config, sweep_, catalogue, lanes, warnings_)),
        maker_(config, index, workload_, warnings_) {}

  /// Adds the points to those of the sweeps before, and what they come to to `totals`.
  void run(PointList& points, SweepTotals& totals);

 private:
  /// Problems that a lane can run: their hashes, possibly repeated.
  struct Runnable {
    DeviceType type{};
    std::vector<std::size_t> problems;
  };

  void note_runnable(const Point& point, const Choice& choice);
  [[nodiscard]] bool problems_by_type() const;
  void warn_of_nothing_in_common();

  const Config& config_;
  const Sweep& sweep_;
  std::size_t index_;
  const Workload& workload_;
  Reporter& warnings_;
  std::vector<Target> targets_;
  PointMaker maker_;
  std::map<std::string, Runnable> runnable_;  // by lane
};

void SweepExpansion::note_runnable(const Point& point, const Choice& choice) {
  // A lane alone is compared with nobody: a list of a million problems would be for nothing.
  if (point.status != Status::not_run || choice.target->lane == nullptr || targets_.size() < 2) return;
  const std::size_t problem = hash_of(point.problem);
  Runnable& runnable = runnable_[point.device];
  runnable.type = choice.target->lane->device.type;
  if (runnable.problems.empty() || runnable.problems.back() != problem)
    runnable.problems.push_back(problem);
}

/// Does the config say that types of devices have problems of their own?
bool SweepExpansion::problems_by_type() const {
  return std::ranges::any_of(sweep_.overrides, [&](const Override& change) {
    return change.match.device_type && std::ranges::any_of(change.axes, [&](const Axis& axis) {
             return std::ranges::any_of(workload_.parameters(),
                                        [&](const ParameterInfo& info) { return info.name == axis.name; });
           });
  });
}

/// Tables compare the lanes of a sweep by the problems that all of them have. Where each type of device was
/// given its own, nothing is missing between types.
void SweepExpansion::warn_of_nothing_in_common() {
  std::map<std::string, std::vector<std::string>> lanes_by_type;
  const bool by_type = problems_by_type();
  for (auto& [lane, runnable] : runnable_) {
    std::ranges::sort(runnable.problems);
    lanes_by_type[by_type ? std::string(to_string(runnable.type)) : ""].push_back(lane);
  }
  for (const auto& [type, lanes] : lanes_by_type) {
    std::vector<std::size_t> common = runnable_.at(lanes.front()).problems;
    for (const std::string& lane : lanes) {
      std::erase_if(common, [&, &problems = runnable_.at(lane).problems](std::size_t problem) {
        return !std::ranges::binary_search(problems, problem);
      });
    }
    if (!common.empty()) continue;
    warnings_.warning(
        sweep_.position, sweep_.name,
        fmt::format("the lanes {} of sweep '{}' share no problem, so no table can compare them; give them "
                    "one in common",
                    fmt::join(lanes, ", "), sweep_.name));
  }
}

void SweepExpansion::run(PointList& points, SweepTotals& totals) {
  Candidates candidates(config_, sweep_, workload_, targets_, Candidates::Extent::all, totals);
  totals = candidates.totals();
  points.expect(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Choice& choice = candidates.choice(i);
    Point point = maker_.make(choice, candidates.combination(i));
    note_runnable(point, choice);
    points.add(std::move(point));
  }
  warn_of_nothing_in_common();
}

}  // namespace

Expansion expand(const Config& config, const Catalogue& catalogue, const LaneTable& lanes) {
  Expansion expansion;
  PointList points(expansion.points);
  Reporter warnings = config.reporter();
  SweepTotals totals;
  for (std::size_t i = 0; i < config.sweeps.size(); ++i) {
    if (!is_searched(config, i)) SweepExpansion(config, i, catalogue, lanes, warnings).run(points, totals);
    for (Point& point : absent_rows(config, i, catalogue)) points.add(std::move(point));
  }
  expansion.warnings = warnings.take();
  return expansion;
}

}  // namespace benchctl

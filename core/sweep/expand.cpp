#include "sweep/expand.hpp"

#include "model/key_text.hpp"
#include "sweep/candidates.hpp"
#include "sweep/point_maker.hpp"
#include "sweep/search.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace benchctl {

namespace {

/// Points of all sweeps, each once.
class PointList {
 public:
  explicit PointList(std::vector<Point>& points) : points_(points) {}

  /// Of two equal points the one that can run stays.
  void add(Point point) {
    std::string key = KeyText()
                          .add(point.workload)
                          .add(point.variant)
                          .add(point.device)
                          .add(point.problem)
                          .add(point.layout)
                          .add(fmt::format_int(measure_index(point.measure)).c_str())
                          .add(point.expect == Expect::wrong ? "wrong" : "right")
                          .add(point.tunables)
                          .take();
    const auto [entry, fresh] = places_.try_emplace(std::move(key), points_.size());
    if (fresh) {
      points_.push_back(std::move(point));
    } else if (points_[entry->second].status == Status::skipped) {
      points_[entry->second] = std::move(point);
    }
  }

 private:
  std::size_t measure_index(const MeasureSettings& settings) {
    const auto found = std::ranges::find(settings_, settings);
    if (found != settings_.end()) return static_cast<std::size_t>(found - settings_.begin());
    settings_.push_back(settings);
    return settings_.size() - 1;
  }

  std::vector<Point>& points_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<MeasureSettings> settings_;
};

/// One sweep on its way to points.
class SweepExpansion {
 public:
  SweepExpansion(const Config& config, std::size_t index, const Catalogue& catalogue,
                 const LaneTable& lanes)
      : config_(config),
        sweep_(config.sweeps[index]),
        index_(index),
        catalogue_(catalogue),
        workload_(*find_workload(sweep_.workload.text)),
        warnings_(config.reporter()),
        targets_(sweep_targets(config, sweep_, catalogue, lanes, warnings_)),
        maker_(config, index, workload_, warnings_) {}

  void run(PointList& points, std::vector<Diagnostic>& warnings);

 private:
  /// Problems that a lane can run, by number.
  struct Runnable {
    DeviceType type{};
    std::set<std::size_t> problems;
  };

  void note_runnable(const Point& point, const Choice& choice);
  [[nodiscard]] std::vector<Point> absent_backends() const;
  [[nodiscard]] bool problems_by_type() const;
  void warn_of_nothing_in_common();

  const Config& config_;
  const Sweep& sweep_;
  std::size_t index_;
  const Catalogue& catalogue_;
  const Workload& workload_;
  Reporter warnings_;
  std::vector<Target> targets_;
  PointMaker maker_;
  std::map<std::string, std::size_t> problem_numbers_;
  std::map<std::string, Runnable> runnable_;  // by lane
};

void SweepExpansion::note_runnable(const Point& point, const Choice& choice) {
  if (point.status != Status::not_run) return;
  const auto number =
      problem_numbers_.try_emplace(maker_.problem_key(), problem_numbers_.size()).first->second;
  Runnable& runnable = runnable_[point.device];
  runnable.type = choice.target->lane->device.type;
  runnable.problems.insert(number);
}

/// Nobody knows the variants of a backend that is not there: one row says why there is nothing.
std::vector<Point> SweepExpansion::absent_backends() const {
  std::vector<Point> points;
  if (!sweep_.backends) return points;
  for (const Word& name : *sweep_.backends) {
    const AbsentBackend* absent = catalogue_.find_absent(name.text);
    if (absent == nullptr || catalogue_.find(name.text) != nullptr) continue;
    Point point;
    point.sweep = index_;
    point.workload = sweep_.workload.text;
    point.variant.assign(1, '*');  // GCC 12 warns of a literal here
    point.backend = name.text;
    point.device = name.text;
    point.measure = config_.measure;
    point.status = Status::skipped;
    point.reason = fmt::format("no device: {}", absent->reason);
    points.push_back(std::move(point));
  }
  return points;
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
  for (const auto& [lane, runnable] : runnable_) {
    lanes_by_type[by_type ? std::string(to_string(runnable.type)) : ""].push_back(lane);
  }
  for (const auto& [type, lanes] : lanes_by_type) {
    std::set<std::size_t> common = runnable_.at(lanes.front()).problems;
    for (const std::string& lane : lanes) {
      std::erase_if(common, [&, &problems = runnable_.at(lane).problems](std::size_t problem) {
        return !problems.contains(problem);
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

void SweepExpansion::run(PointList& points, std::vector<Diagnostic>& warnings) {
  const Candidates candidates(config_, sweep_, workload_, targets_);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Choice& choice = candidates.choice(i);
    Point point = maker_.make(choice, candidates.combination(i));
    note_runnable(point, choice);
    points.add(std::move(point));
  }
  for (Point& point : absent_backends()) points.add(std::move(point));
  warn_of_nothing_in_common();
  for (Diagnostic& warning : warnings_.take()) warnings.push_back(std::move(warning));
}

}  // namespace

Expansion expand(const Config& config, const Catalogue& catalogue, const LaneTable& lanes) {
  Expansion expansion;
  PointList points(expansion.points);
  for (std::size_t i = 0; i < config.sweeps.size(); ++i) {
    if (is_searched(config, i)) continue;
    SweepExpansion(config, i, catalogue, lanes).run(points, expansion.warnings);
  }
  return expansion;
}

}  // namespace benchctl

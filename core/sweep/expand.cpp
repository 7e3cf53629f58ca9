#include "sweep/expand.hpp"

#include "model/value_order.hpp"
#include "sweep/point_maker.hpp"
#include "sweep/search.hpp"
#include "sweep/targets.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <unordered_set>

namespace benchctl {

namespace {

/// Points that are measured alike and come out alike become one: the first of them that can run, in the
/// place of the first.
std::vector<Point> each_once(std::vector<Point> all) {
  std::vector<Point> points;
  const auto hash = [&](std::size_t place) {
    const Point& point = points[place];
    std::size_t result = mixed(hash_of(point.problem), hash_of(point.tunables));
    for (const std::string* text : {&point.workload, &point.variant, &point.device, &point.layout})
      result = mixed(result, std::hash<std::string>{}(*text));
    return mixed(result, point.measure.seed);
  };
  const auto same = [&](std::size_t one, std::size_t other) {
    const Point& a = points[one];
    const Point& b = points[other];
    return a.variant == b.variant && a.device == b.device && a.layout == b.layout && a.expect == b.expect &&
           a.workload == b.workload && equal(a.tunables, b.tunables) && equal(a.problem, b.problem) &&
           a.measure == b.measure;
  };
  std::unordered_set<std::size_t, decltype(hash), decltype(same)> known(0, hash, same);
  for (Point& point : all) {
    points.push_back(std::move(point));
    const auto [first, fresh] = known.insert(points.size() - 1);
    if (fresh) continue;
    if (points[*first].status == Status::skipped) points[*first] = std::move(points.back());
    points.pop_back();
  }
  return points;
}

/// All values that an axis has on any target: by size where everybody lists rising numbers, otherwise
/// in order of first appearance.
std::vector<Value> all_values(const std::vector<const Axis*>& axes) {
  std::vector<Value> values;
  std::set<Value, ValueOrder> seen;
  bool rising = true;
  for (const Axis* axis : axes) {
    rising = rising && std::ranges::all_of(axis->values, is_number) &&
             std::ranges::is_sorted(axis->values, ValueOrder{});
    for (const Value& value : axis->values) {
      if (seen.insert(value).second) values.push_back(value);
    }
  }
  if (rising) std::ranges::sort(values, ValueOrder{});
  return values;
}

/// The order of a sweep's points: by problem and layout (the first axis outermost), then by measure
/// parameters, then as they were made.
class PointOrder {
 public:
  PointOrder(const Workload& workload, const std::vector<Target>& targets) {
    std::vector<std::string> names;
    std::map<std::string, std::vector<const Axis*>> axes;
    for (const Target& target : targets) {
      for (const Axis& axis : target.axes) {
        if (class_of(workload, axis.name) == AxisClass::tunable) continue;
        std::vector<const Axis*>& known = axes[axis.name];
        if (known.empty()) names.push_back(axis.name);
        known.push_back(&axis);
      }
    }
    std::ranges::stable_partition(
        names, [&](const std::string& name) { return class_of(workload, name) != AxisClass::measure; });
    for (const std::string& name : names) {
      AxisOrder order{axes_.size(), {}};
      for (const Value& value : all_values(axes[name])) {
        const std::size_t rank = order.ranks.size() + 1;
        order.ranks.emplace(value, rank);
      }
      axes_.emplace(name, std::move(order));
    }
  }

  /// Ranks of a combination's values, axis by axis; 0 where the placement does not have the axis.
  [[nodiscard]] std::vector<std::size_t> of(const Placement& placement,
                                            const std::vector<std::uint32_t>& places) const {
    std::vector<std::size_t> ranks(axes_.size(), 0);
    for (std::size_t d = 0; d < places.size(); ++d) {
      const Dimension& dimension = placement.dimensions[d];
      for (const Axis* axis : dimension.axes) {
        const auto found = axes_.find(axis->name);
        if (found == axes_.end()) continue;
        const AxisOrder& order = found->second;
        ranks[order.position] = order.ranks.find(axis->values[dimension.places[places[d]]])->second;
      }
    }
    return ranks;
  }

 private:
  struct AxisOrder {
    std::size_t position;  ///< among the axes
    std::map<Value, std::size_t, ValueOrder> ranks;
  };
  std::map<std::string, AxisOrder> axes_;  ///< those of problem, layout and measure
};

/// What the sweeps of a config come to. Doubles, since a product of axes may be beyond every integer.
struct SweepTotals {
  double combinations = 0;
  double condition_bytes = 0;  ///< bytes of `where` times combinations
};

/// One sweep on its way to points.
class SweepExpansion {
 public:
  SweepExpansion(const Config& config, std::size_t index, const Catalogue& catalogue,
                 const LaneTable& lanes, Reporter& warnings)
      : config_(config),
        sweep_(config.sweeps[index]),
        workload_(*config.workloads.find(sweep_.workload.text)),
        warnings_(warnings),
        targets_(sweep_targets(config, sweep_, catalogue, lanes, warnings_)),
        placements_(placements(sweep_, workload_, targets_)),
        maker_(config, index, workload_, warnings_) {}

  /// Adds the points to those of the sweeps before, and what they come to to `totals`.
  void run(std::vector<Point>& points, SweepTotals& totals);

 private:
  struct Visit {
    const Placement* placement;
    std::vector<std::uint32_t> places;  ///< by dimension
    std::vector<std::size_t> ranks;
  };
  /// Problems that a lane can run.
  struct Runnable {
    DeviceType type{};
    std::set<SharedParameters> problems;
  };

  void refuse_too_many(SweepTotals& totals) const;
  [[nodiscard]] std::vector<Visit> visits() const;
  void note_runnable(const Point& point, const Placement& placement);
  [[nodiscard]] bool problems_by_type() const;
  void warn_of_nothing_in_common();

  const Config& config_;
  const Sweep& sweep_;
  const Workload& workload_;
  Reporter& warnings_;
  std::vector<Target> targets_;
  std::vector<Placement> placements_;
  PointMaker maker_;
  std::map<std::string, Runnable> runnable_;  // by lane
};

void SweepExpansion::refuse_too_many(SweepTotals& totals) const {
  const double before = totals.combinations;
  double total = 0;
  for (const Placement& placement : placements_) {
    double product = 1;
    for (const Dimension& dimension : placement.dimensions) product *= dimension.length();
    total += product;
  }
  double bytes = 0;
  for (const Condition& condition : sweep_.where)
    bytes += static_cast<double>(condition.expression.text().size());
  totals.combinations += total;
  totals.condition_bytes += total * bytes;
  const bool many = totals.combinations > static_cast<double>(max_combinations);
  if (!many && totals.condition_bytes <= static_cast<double>(max_condition_bytes)) return;
  Reporter reporter = config_.reporter();  // a copy of the text, so not for every sweep
  if (many) {
    reporter.error(
        sweep_.position, sweep_.name,
        fmt::format("sweep '{}' comes to {:.0f} points on this machine{}", sweep_.name, total,
                    before > 0 ? fmt::format(", after {:.0f} of the sweeps before it", before) : ""),
        fmt::format("at most {}; narrow the axes, tie some with zip, or let a search draw points: "
                    "[search] strategy = \"random\"",
                    max_combinations));
  } else {
    reporter.error(
        sweep_.where.front().position, sweep_.name,
        fmt::format("sweep '{}' has {:.0f} bytes of conditions for {:.0f} points, which takes too long",
                    sweep_.name, bytes, total),
        fmt::format("a product of at most {} for all sweeps; fewer points, or shorter conditions",
                    max_condition_bytes));
  }
  reporter.throw_if_any();
}

/// Every combination, in the order of the points.
std::vector<SweepExpansion::Visit> SweepExpansion::visits() const {
  const PointOrder order(workload_, targets_);
  std::vector<Visit> visits;
  for (const Placement& placement : placements_) {
    std::vector<std::uint32_t> lengths;
    for (const Dimension& dimension : placement.dimensions) lengths.push_back(dimension.length());
    std::vector<std::uint32_t> places(lengths.size(), 0);
    do {
      visits.push_back({&placement, places, order.of(placement, places)});
    } while (next_places(places, lengths));
  }
  std::ranges::stable_sort(visits, {}, &Visit::ranks);
  return visits;
}

void SweepExpansion::note_runnable(const Point& point, const Placement& placement) {
  // A lane alone is compared with nobody.
  if (point.status != Status::not_run || placement.target->lane == nullptr || targets_.size() < 2) return;
  Runnable& runnable = runnable_[point.device];
  runnable.type = placement.target->lane->device.type;
  runnable.problems.insert(point.problem);
}

/// Does the config say that types of devices have problems of their own?
bool SweepExpansion::problems_by_type() const {
  return std::ranges::any_of(sweep_.overrides, [&](const Override& change) {
    return change.match.device_type && std::ranges::any_of(change.axes, [&](const Axis& axis) {
             return class_of(workload_, axis.name) == AxisClass::problem;
           });
  });
}

/// Tables compare the lanes of a sweep by the problems that all of them have. Where each type of device was
/// given its own, nothing is missing between types.
void SweepExpansion::warn_of_nothing_in_common() {
  std::map<std::string, std::vector<std::string>> lanes_by_type;
  const bool by_type = problems_by_type();
  for (const auto& [lane, runnable] : runnable_)
    lanes_by_type[by_type ? std::string(to_string(runnable.type)) : ""].push_back(lane);
  for (const auto& [type, lanes] : lanes_by_type) {
    std::set<SharedParameters> common = runnable_.at(lanes.front()).problems;
    for (const std::string& lane : lanes) {
      std::erase_if(common, [&, &problems = runnable_.at(lane).problems](const SharedParameters& problem) {
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

void SweepExpansion::run(std::vector<Point>& points, SweepTotals& totals) {
  refuse_too_many(totals);
  for (const Visit& visit : visits()) {
    Combination combination = start(*visit.placement);
    for (std::size_t d = 0; d < visit.places.size(); ++d)
      apply(visit.placement->dimensions[d], visit.places[d], combination);
    Point point = maker_.make(*visit.placement, std::move(combination));
    note_runnable(point, *visit.placement);
    points.push_back(std::move(point));
  }
  warn_of_nothing_in_common();
}

}  // namespace

Expansion expand(const Config& config, const Catalogue& catalogue, const LaneTable& lanes) {
  Expansion expansion;
  std::vector<Point> points;
  Reporter warnings = config.reporter();
  SweepTotals totals;
  for (std::size_t i = 0; i < config.sweeps.size(); ++i) {
    if (!is_searched(config, i)) SweepExpansion(config, i, catalogue, lanes, warnings).run(points, totals);
    std::ranges::move(absent_rows(config, i, catalogue), std::back_inserter(points));
  }
  expansion.points = each_once(std::move(points));
  expansion.warnings = warnings.take();
  return expansion;
}

PlanTotals plan_totals(const std::vector<Point>& points) {
  PlanTotals totals;
  for (const Point& point : points) {
    if (point.status != Status::not_run) {
      ++totals.ruled_out;
      continue;
    }
    ++totals.to_measure;
    totals.least_seconds += std::min(point.measure.max_seconds, fast_point_seconds);
    totals.most_seconds += point.measure.max_seconds;
  }
  return totals;
}

}  // namespace benchctl

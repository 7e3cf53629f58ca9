#include "sweep/expand.hpp"

#include "config/measure_settings.hpp"
#include "model/glob.hpp"
#include "sweep/limits.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace benchctl {

namespace {

/// Parameters of the measure class that may be axes.
constexpr std::array<std::string_view, 3> measure_axes{"cache", "launch", "basis"};

bool is_measure_axis(std::string_view name) {
  return std::ranges::find(measure_axes, name) != measure_axes.end();
}

/// Axes that advance together: one free axis, or a zip group.
struct Dimension {
  std::vector<const Axis*> axes;
  [[nodiscard]] std::size_t length() const { return axes.front()->values.size(); }
};

/// A lane, or a backend without one.
struct Target {
  const BackendEntry* backend = nullptr;
  const Lane* lane = nullptr;
  std::string no_device;
};

/// What the sweep comes to on one target, overrides applied.
struct Effective {
  std::vector<Axis> axes;
  MeasureSettings measure;
};

bool matches(const Match& match, const Target& target) {
  if (match.backend && match.backend->text != target.backend->name) return false;
  if (match.device_type && (target.lane == nullptr || target.lane->device.type != *match.device_type))
    return false;
  if (match.device && (target.lane == nullptr || !glob_match(match.device->text, target.lane->name())))
    return false;
  return true;
}

Effective effective(const Config& config, const Sweep& sweep, const Target& target) {
  Effective result{sweep.axes, config.measure};
  apply_measure(result.measure, sweep.measure);
  for (const Override& entry : sweep.overrides) {
    if (!matches(entry.match, target)) continue;
    for (const Axis& axis : entry.axes) {
      const auto found = std::ranges::find(result.axes, axis.name, &Axis::name);
      if (found != result.axes.end()) {
        *found = axis;
      } else {
        result.axes.push_back(axis);
      }
    }
    apply_measure(result.measure, entry.measure);
  }
  return result;
}

/// The dimensions that a variant has, in the order of the axes.
std::vector<Dimension> dimensions(const Sweep& sweep, const Effective& lane,
                                  const std::set<std::string>& names) {
  std::vector<Dimension> result;
  std::set<const ZipGroup*> placed;
  for (const Axis& axis : lane.axes) {
    if (!names.contains(axis.name)) continue;
    const auto zip = std::ranges::find_if(sweep.zips, [&](const ZipGroup& group) {
      return std::ranges::find(group.names, axis.name, &Word::text) != group.names.end();
    });
    if (zip == sweep.zips.end()) {
      result.push_back({{&axis}});
      continue;
    }
    if (!placed.insert(&*zip).second) continue;
    Dimension tied;
    for (const Word& name : zip->names) {
      const auto member = std::ranges::find(lane.axes, name.text, &Axis::name);
      // An override may have changed the length of one member: then it is no longer tied.
      if (member == lane.axes.end() || !names.contains(name.text)) continue;
      if (!tied.axes.empty() && member->values.size() != tied.length()) {
        result.push_back({{&*member}});
      } else {
        tied.axes.push_back(&*member);
      }
    }
    result.push_back(std::move(tied));
  }
  return result;
}

/// Names that mean something to a variant.
std::set<std::string> names_of(const Workload& workload, const VariantInfo& variant) {
  std::set<std::string> names(measure_axes.begin(), measure_axes.end());
  for (const ParameterInfo& parameter : workload.parameters()) names.insert(parameter.name);
  for (const TunableInfo& tunable : variant.tunables) names.insert(tunable.name);
  if (!workload.layouts().empty()) names.insert("layout");
  return names;
}

Parameters default_tunables(const VariantInfo& variant) {
  Parameters values;
  for (const TunableInfo& tunable : variant.tunables) values[tunable.name] = tunable.default_value;
  return values;
}

/// One sweep on its way to points.
class SweepExpansion {
 public:
  SweepExpansion(const Config& config, std::size_t index, const Catalogue& catalogue,
                 const LaneTable& lanes)
      : config_(config),
        sweep_(config.sweeps[index]),
        index_(index),
        catalogue_(catalogue),
        lanes_(lanes),
        workload_(*find_workload(sweep_.workload.text)) {}

  void run(Expansion& expansion);

 private:
  struct Problem {
    Parameters complete;
    ProblemSpec spec;
    std::string error;
    std::size_t order = 0;
  };

  [[nodiscard]] std::vector<Target> targets() const;
  [[nodiscard]] std::vector<const VariantInfo*> variants(const BackendEntry& backend) const;
  void absent_backends(Expansion& expansion);
  void expand_target(const Target& target);
  void expand_variant(const Target& target, const Effective& lane, const VariantInfo& variant);
  void add(Point point, const Target& target, const VariantInfo& variant, const Parameters& given);
  const Problem& problem_of(const Parameters& given, const std::string& layout);
  [[nodiscard]] std::string excluded(const Point& point, const Target& target,
                                     const Parameters& values) const;
  [[nodiscard]] Expect expectation(const std::string& variant) const;
  void warn(Expansion& expansion) const;

  const Config& config_;
  const Sweep& sweep_;
  std::size_t index_;
  const Catalogue& catalogue_;
  const LaneTable& lanes_;
  const Workload& workload_;
  std::map<std::pair<Parameters, std::string>, Problem> problems_;
  std::vector<std::pair<std::size_t, Point>> points_;  // with the order of their problem
  std::unordered_set<std::string> seen_;
  std::map<std::string, std::set<std::size_t>> runnable_;  // problems by lane
};

std::vector<Target> SweepExpansion::targets() const {
  const auto wanted_backend = [&](const std::string& name) {
    return !sweep_.backends ||
           std::ranges::find(*sweep_.backends, name, &Word::text) != sweep_.backends->end();
  };
  const auto wanted_lane = [&](const Lane& lane) {
    if (sweep_.devices.empty()) return lane.device.type != DeviceType::simulator;
    return std::ranges::any_of(sweep_.devices,
                               [&](const Word& pattern) { return glob_match(pattern.text, lane.name()); });
  };
  std::vector<Target> result;
  const auto add_backend = [&](const BackendLanes& entry) {
    const BackendEntry* backend = catalogue_.find(entry.backend);
    if (backend == nullptr || !wanted_backend(entry.backend)) return;
    for (const Lane& lane : entry.lanes) {
      if (wanted_lane(lane)) result.push_back({backend, &lane, {}});
    }
    if (entry.lanes.empty()) result.push_back({backend, nullptr, entry.unavailable});
  };
  if (sweep_.backends) {
    for (const Word& name : *sweep_.backends) {
      for (const BackendLanes& entry : lanes_) {
        if (entry.backend == name.text) add_backend(entry);
      }
    }
  } else {
    for (const BackendLanes& entry : lanes_) add_backend(entry);
  }
  return result;
}

std::vector<const VariantInfo*> SweepExpansion::variants(const BackendEntry& backend) const {
  std::vector<const VariantInfo*> result;
  for (const VariantInfo& variant : backend.variants) {
    if (variant.workload != sweep_.workload.text) continue;
    if (sweep_.variants &&
        std::ranges::find(*sweep_.variants, variant.name, &Word::text) == sweep_.variants->end()) {
      continue;
    }
    result.push_back(&variant);
  }
  return result;
}

Expect SweepExpansion::expectation(const std::string& variant) const {
  for (const VariantExpectation& entry : sweep_.expectations) {
    if (entry.variant.text == variant) return entry.expect;
  }
  return sweep_.expect;
}

const SweepExpansion::Problem& SweepExpansion::problem_of(const Parameters& given,
                                                          const std::string& layout) {
  const auto [entry, fresh] = problems_.try_emplace({given, layout});
  Problem& problem = entry->second;
  if (!fresh) return problem;
  problem.order = problems_.size();
  problem.complete = given;
  try {
    problem.complete = complete_parameters(workload_, given);
    problem.spec = workload_.problem(problem.complete, layout);
  } catch (const std::exception& error) {
    problem.error = error.what();
  }
  return problem;
}

std::string SweepExpansion::excluded(const Point& point, const Target& target,
                                     const Parameters& values) const {
  Parameters known = values;
  known["backend"] = target.backend->name;
  known["variant"] = point.variant;
  if (target.lane != nullptr) known["device_type"] = std::string(to_string(target.lane->device.type));
  known["cache"] = std::string(to_string(point.measure.cache));
  known["launch"] = std::string(to_string(point.measure.launch));
  known["basis"] = std::string(to_string(point.measure.basis));
  for (const Condition& condition : sweep_.where) {
    const auto& names = condition.expression.names();
    if (!std::ranges::all_of(names, [&](const std::string& name) { return known.contains(name); }))
      continue;
    try {
      if (condition.expression.holds(known)) continue;
    } catch (const ExpressionError& error) {
      return fmt::format("where: \"{}\": {}", condition.expression.text(), error.what());
    }
    Parameters mentioned;
    for (const std::string& name : names) mentioned[name] = known.find(name)->second;
    return fmt::format("where: \"{}\" is false ({})", condition.expression.text(), to_text(mentioned));
  }
  return {};
}

void SweepExpansion::add(Point point, const Target& target, const VariantInfo& variant,
                         const Parameters& given) {
  const Problem& problem = problem_of(given, point.layout);
  point.problem = problem.complete;
  const std::string key =
      fmt::format("{}|{}{}{}", point.label(), static_cast<int>(point.measure.cache),
                  static_cast<int>(point.measure.launch), static_cast<int>(point.measure.basis));
  if (!seen_.insert(key).second) return;
  Parameters values = point.problem;
  values.insert(point.tunables.begin(), point.tunables.end());
  if (!point.layout.empty()) values["layout"] = point.layout;
  point.reason = problem.error;
  if (point.reason.empty()) point.reason = excluded(point, target, values);
  if (point.reason.empty() && target.lane == nullptr) point.reason = "no device: " + target.no_device;
  if (point.reason.empty()) {
    point.reason = ruled_out_by({variant, *target.backend, target.lane->device, problem.spec, values});
  }
  point.status = point.reason.empty() ? Status::not_run : Status::skipped;
  if (point.status == Status::not_run) runnable_[point.device].insert(problem.order);
  points_.emplace_back(problem.order, std::move(point));
}

void SweepExpansion::expand_variant(const Target& target, const Effective& lane,
                                    const VariantInfo& variant) {
  const std::vector<Dimension> dims = dimensions(sweep_, lane, names_of(workload_, variant));
  std::size_t combinations = 1;
  for (const Dimension& dimension : dims) combinations *= dimension.length();
  const Parameters tunables = default_tunables(variant);
  for (std::size_t combination = 0; combination < combinations; ++combination) {
    Point point;
    point.sweep = index_;
    point.workload = sweep_.workload.text;
    point.variant = variant.name;
    point.backend = target.backend->name;
    point.device = target.lane != nullptr ? target.lane->name() : target.backend->name;
    point.tunables = tunables;
    point.measure = lane.measure;
    point.expect = expectation(variant.name);
    Parameters given;
    std::size_t rest = combination;
    // The last dimension runs fastest.
    for (auto dimension = dims.rbegin(); dimension != dims.rend(); ++dimension) {
      const std::size_t place = rest % dimension->length();
      rest /= dimension->length();
      for (const Axis* axis : dimension->axes) {
        const Value& value = axis->values[place];
        if (is_measure_axis(axis->name)) {
          apply_measure(point.measure, {{axis->name, value, axis->position}});
        } else if (axis->name == "layout" && !workload_.layouts().empty()) {
          point.layout = std::get<std::string>(value);
        } else if (const auto tunable = point.tunables.find(axis->name); tunable != point.tunables.end()) {
          tunable->second = value;
        } else {
          given[axis->name] = value;
        }
      }
    }
    if (point.layout.empty() && !workload_.layouts().empty()) point.layout = workload_.layouts().front();
    add(std::move(point), target, variant, given);
  }
}

void SweepExpansion::expand_target(const Target& target) {
  const Effective lane = effective(config_, sweep_, target);
  for (const VariantInfo* variant : variants(*target.backend)) expand_variant(target, lane, *variant);
}

void SweepExpansion::absent_backends(Expansion& expansion) {
  if (!sweep_.backends) return;
  for (const Word& name : *sweep_.backends) {
    const AbsentBackend* absent = catalogue_.find_absent(name.text);
    if (absent == nullptr || catalogue_.find(name.text) != nullptr) continue;
    // Nobody knows its variants: one row says why there is nothing.
    Point point;
    point.sweep = index_;
    point.workload = sweep_.workload.text;
    point.variant = "*";
    point.backend = name.text;
    point.device = name.text;
    point.measure = config_.measure;
    point.status = Status::skipped;
    point.reason = "no device: " + absent->reason;
    expansion.points.push_back(std::move(point));
  }
}

void SweepExpansion::warn(Expansion& expansion) const {
  if (runnable_.size() < 2) return;
  std::set<std::size_t> common = runnable_.begin()->second;
  for (const auto& [lane, problems] : runnable_) {
    std::erase_if(common, [&](std::size_t problem) { return !problems.contains(problem); });
  }
  if (!common.empty()) return;
  std::vector<std::string> lanes;
  for (const auto& [lane, problems] : runnable_) lanes.push_back(lane);
  Reporter reporter = config_.reporter();
  reporter.warning(
      sweep_.position, sweep_.name,
      fmt::format("the lanes {} of sweep '{}' share no problem, so no table can compare them; give them "
                  "one in common",
                  fmt::join(lanes, ", "), sweep_.name));
  for (Diagnostic& warning : reporter.take()) expansion.warnings.push_back(std::move(warning));
}

void SweepExpansion::run(Expansion& expansion) {
  for (const Target& target : targets()) expand_target(target);
  std::ranges::stable_sort(points_, {}, &std::pair<std::size_t, Point>::first);
  for (auto& [order, point] : points_) expansion.points.push_back(std::move(point));
  absent_backends(expansion);
  warn(expansion);
}

}  // namespace

Expansion expand(const Config& config, const Catalogue& catalogue, const LaneTable& lanes) {
  Expansion expansion;
  for (std::size_t i = 0; i < config.sweeps.size(); ++i)
    SweepExpansion(config, i, catalogue, lanes).run(expansion);
  return expansion;
}

}  // namespace benchctl

#include "sweep/space.hpp"

#include "config/expressions.hpp"
#include "config/measure_settings.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "sweep/point_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace benchctl {

namespace {

/// An integer for a tunable whose default is a real is that real: kernels compute with its literal.
Value as_type_of(const SharedParameters& defaults, const std::string& name, const Value& value) {
  const auto found = defaults.find(name);
  const bool real = found != defaults.end() && std::holds_alternative<double>(found->second);
  return real && std::holds_alternative<std::int64_t>(value) ? Value(as_number(value)) : value;
}

bool matches(const Match& match, const Target& target) {
  if (match.backend && match.backend->text != target.backend->name) return false;
  if (match.device_type) {
    if (target.lane == nullptr || target.lane->device.type != *match.device_type) return false;
  }
  return !match.device || (target.lane != nullptr && glob_match(match.device->text, target.name));
}

void check_zips(const Config& config, const Sweep& sweep, const Target& target) {
  for (const ZipGroup& zip : sweep.zips) {
    std::vector<const Axis*> axes;
    for (const Word& name : zip.names) {
      if (const Axis* axis = find_by(target.axes, name.text, &Axis::name)) axes.push_back(axis);
    }
    const std::string lengths = unequal_lengths(axes);
    if (lengths.empty()) continue;
    Reporter reporter = config.reporter();
    reporter.error(zip.position,
                   fmt::format("the overrides for {} together leave tied axes of different lengths: {}",
                               target.name, lengths),
                   "as many values in each");
    reporter.throw_if_any();
  }
}

/// Lays the overrides that match over the sweep, later ones last.
void settle(const Config& config, const Sweep& sweep, Target& target) {
  target.axes = sweep.axes;
  target.measure = config.measure;
  apply_measure(target.measure, sweep.measure);
  for (const Override& over : sweep.overrides) {
    if (!matches(over.match, target)) continue;
    for (const Axis& axis : over.axes) {
      if (Axis* own = find_by(target.axes, axis.name, &Axis::name)) {
        *own = axis;
      } else {
        target.axes.push_back(axis);
      }
    }
    apply_measure(target.measure, over.measure);
  }
  check_zips(config, sweep, target);
}

bool wanted(const Sweep& sweep, const Lane& lane) {
  if (sweep.devices.empty()) return lane.device.type != DeviceType::simulator;
  const std::string name = lane.name();
  return std::ranges::any_of(sweep.devices,
                             [&](const Word& pattern) { return glob_match(pattern.text, name); });
}

/// Could a pattern mean a device of this backend, if it had one?
bool wanted_without_device(const Sweep& sweep, const std::string& backend) {
  return sweep.devices.empty() || std::ranges::any_of(sweep.devices, [&](const Word& pattern) {
           return glob_match(pattern.text.substr(0, pattern.text.find(':')), backend);
         });
}

void warn_of_patterns(const Sweep& sweep, const LaneTable& lanes, Reporter& warnings) {
  Names names;
  for (const BackendLanes& backend : lanes) {
    for (const Lane& lane : backend.lanes) names.push_back(lane.name());
  }
  for (const Word& pattern : sweep.devices) {
    const auto matches = [&](const std::string& name) { return glob_match(pattern.text, name); };
    if (std::ranges::any_of(names, matches)) continue;
    warnings
        .warning(pattern.position,
                 fmt::format("no device matches '{}'; there are {}", pattern.text,
                             names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))))
        .suggestion = nearest_name(pattern.text, names).value_or("");
  }
}

void add_backend(const Sweep& sweep, const BackendEntry& backend, const BackendLanes& lanes,
                 std::vector<Target>& targets) {
  bool any = false;
  for (const Lane& lane : lanes.lanes) {
    if (!wanted(sweep, lane)) continue;
    targets.push_back({.backend = &backend, .lane = &lane, .name = lane.name()});
    any = true;
  }
  if (lanes.lanes.empty() && wanted_without_device(sweep, backend.name)) {
    targets.push_back({.backend = &backend,
                       .name = backend.name,
                       .no_device = lanes.unavailable,
                       .no_device_status = lanes.status});
  } else if (!any && sweep.devices.empty()) {
    targets.push_back({.backend = &backend,
                       .name = backend.name,
                       .no_device = "only simulators, which run when 'devices' names them"});
  }
}

const ZipGroup* zip_of(const Sweep& sweep, const std::string& axis) {
  return find_by(sweep.zips, true,
                 [&](const ZipGroup& zip) { return find_by(zip.names, axis, &Word::text) != nullptr; });
}

/// The values of these axes together, each combination once.
Dimension make_dimension(const Workload& workload, std::vector<const Axis*> axes) {
  Dimension dimension;
  dimension.axes = std::move(axes);
  for (const Axis* axis : dimension.axes) dimension.classes.push_back(class_of(workload, axis->name));
  std::set<std::size_t, TupleOrder> seen(TupleOrder{dimension.axes});
  // Values of an axis alone differ.
  const bool may_repeat =
      std::ranges::all_of(dimension.axes, [](const Axis* axis) { return !axis->repeats.empty(); });
  for (std::size_t place = 0; place < dimension.axes.front()->values.size(); ++place) {
    if (!may_repeat || seen.insert(place).second) dimension.places.push_back(place);
  }
  return dimension;
}

std::vector<Dimension> dimensions(const Sweep& sweep, const Workload& workload, const Target& target,
                                  const VariantInfo& variant) {
  const auto has = [&](const std::string& axis) {
    return class_of(workload, axis) != AxisClass::tunable || axis == twin_tunable().name ||
           find_by(variant.tunables, axis, &TunableInfo::name) != nullptr;
  };
  std::vector<Dimension> result;
  std::set<const ZipGroup*> placed;
  for (const Axis& axis : target.axes) {
    if (!has(axis.name)) continue;
    const ZipGroup* zip = zip_of(sweep, axis.name);
    if (zip == nullptr) {
      result.push_back(make_dimension(workload, {&axis}));
    } else if (placed.insert(zip).second) {
      std::vector<const Axis*> tied;
      for (const Axis& member : target.axes) {
        if (zip_of(sweep, member.name) == zip && has(member.name)) tied.push_back(&member);
      }
      result.push_back(make_dimension(workload, std::move(tied)));
    }
  }
  return result;
}

/// The workload's first layout, or the first that the variant takes if it does not take that one.
std::string default_layout(const Workload& workload, const VariantInfo& variant) {
  const auto layouts = workload.layouts();
  if (layouts.empty()) return {};
  const auto& taken = variant.layouts;
  const bool takes_first = taken.empty() || contains(taken, layouts.front());
  return takes_first ? layouts.front() : taken.front();
}

/// In the order of the sweep's backends, then of the lane table. Simulators only if a pattern of
/// `devices` names them. A pattern without any lane becomes a warning. Throws ConfigErrors when
/// overrides together leave tied axes of different lengths.
std::vector<Target> sweep_targets(const Config& config, const Sweep& sweep, const Catalogue& catalogue,
                                  const LaneTable& lanes, Reporter& warnings) {
  const Names backends =
      sweep.backends ? names_of(*sweep.backends, &Word::text) : names_of(lanes, &BackendLanes::backend);
  std::vector<Target> targets;
  for (const std::string& name : backends) {
    const BackendEntry* backend = catalogue.find(name);
    const BackendLanes* found = find_by(lanes, name, &BackendLanes::backend);
    if (backend != nullptr && found != nullptr) add_backend(sweep, *backend, *found, targets);
  }
  for (Target& target : targets) settle(config, sweep, target);
  warn_of_patterns(sweep, lanes, warnings);
  return targets;
}

}  // namespace

std::vector<const AbsentBackend*> absent_backends(const Sweep& sweep, const Catalogue& catalogue) {
  std::vector<const AbsentBackend*> meant;
  for (const AbsentBackend& backend : catalogue.absent) {
    const bool named = sweep.backends ? sweep.takes_backend(backend.name) : backend.is_backend;
    if (named && wanted_without_device(sweep, backend.name)) meant.push_back(&backend);
  }
  return meant;
}

Names axes_of(const Workload& workload, const std::vector<const VariantInfo*>& variants) {
  Names names = names_of(workload.parameters(), &ParameterInfo::name);
  if (!workload.layouts().empty()) names.emplace_back("layout");
  for (const VariantInfo* variant : variants) {
    for (const TunableInfo& tunable : variant->tunables) add_once(names, tunable.name);
  }
  add_once(names, twin_tunable().name);
  for (const MeasureKeyInfo& key : measure_keys()) {
    if (key.is_parameter()) add_once(names, key.name);
  }
  return names;
}

AxisClass class_of(const Workload& workload, const std::string& axis) {
  if (find_by(workload.parameters(), axis, &ParameterInfo::name) != nullptr) return AxisClass::problem;
  if (axis == "layout" && !workload.layouts().empty()) return AxisClass::layout;
  const MeasureKeyInfo* key = find_measure_key(axis);
  return key != nullptr && key->is_parameter() ? AxisClass::measure : AxisClass::tunable;
}

std::vector<const VariantInfo*> selected_variants(const Sweep& sweep, const BackendEntry& backend) {
  std::vector<const VariantInfo*> result;
  const auto add_those = [&](const std::string& pattern) {
    for (const VariantInfo& variant : backend.variants) {
      if (variant.workload != sweep.workload.text || !selects_variant(pattern, variant)) continue;
      if (std::ranges::find(result, &variant) == result.end()) result.push_back(&variant);
    }
  };
  if (!sweep.variants) add_those("*");
  for (const Word& pattern : sweep.variants.value_or(std::vector<Word>{})) add_those(pattern.text);
  return result;
}

Expect expectation(const Sweep& sweep, const std::string& variant) {
  const auto name = [](const VariantExpectation& entry) -> const std::string& {
    return entry.variant.text;
  };
  const VariantExpectation* own = find_by(sweep.expectations, variant, name);
  return own != nullptr ? own->expect : sweep.expect;
}

void apply(const Dimension& dimension, std::size_t place, Point& point) {
  for (std::size_t i = 0; i < dimension.axes.size(); ++i) {
    const Axis* axis = dimension.axes[i];
    const Value& value = axis->values[dimension.places[place]];
    switch (dimension.classes[i]) {
      case AxisClass::problem:
        point.problem.set(axis->name, value);
        break;
      case AxisClass::layout:
        point.layout = std::get<std::string>(value);
        break;
      case AxisClass::measure:
        find_measure_key(axis->name)->set(point.measure, value);
        break;
      case AxisClass::tunable:
        point.tunables.set(axis->name, as_type_of(point.tunables, axis->name, value));
        break;
    }
  }
}

SweepSpace::SweepSpace(const Config& config, std::size_t index, const Catalogue& catalogue,
                       const LaneTable& lanes, Reporter& warnings)
    : sweep_(config.sweeps[index]),
      index_(index),
      workload_(*config.workloads.find(sweep_.workload.text)),
      warnings_(warnings),
      targets_(sweep_targets(config, sweep_, catalogue, lanes, warnings)) {
  for (const Target& target : targets_) {
    for (const VariantInfo* variant : selected_variants(sweep_, *target.backend)) {
      placements_.push_back({&target, variant, dimensions(sweep_, workload_, target, *variant),
                             defaults_of(*variant), default_layout(workload_, *variant),
                             expectation(sweep_, variant->name)});
    }
  }
}

Point SweepSpace::start(const Placement& placement) const {
  Point point;
  point.sweep = index_;
  point.workload = sweep_.workload.text;
  point.variant = placement.variant->name;
  point.backend = placement.target->backend->name;
  point.device = placement.target->name;
  point.layout = placement.layout;
  point.tunables = placement.tunables;
  point.measure = placement.target->measure;
  point.expect = placement.expect;
  return point;
}

const SweepSpace::Problem& SweepSpace::problem(const Point& one) {
  const SharedParameters given = problem_values(workload_, one);
  if (problem_ && problem_->given == given && problem_->layout == one.layout) return *problem_;
  Problem& made = problem_.emplace(Problem{given, one.layout, one.problem, {}, {}});
  try {
    made.complete = complete_parameters(workload_, one.problem);
    made.spec = workload_.problem(problem_values(workload_, made.complete, one.tunables), one.layout);
  } catch (const ProblemError& error) {
    made.error = error.what();
  } catch (const ExpressionError& error) {
    made.error = error.what();
  }
  return made;
}

Point SweepSpace::finished(const Placement& placement, Point point) {
  const Problem& of_point = problem(point);
  point.problem = of_point.complete;
  point.reason = obstacle(point, placement, of_point);
  if (!point.reason.empty()) {
    point.status = Status::skipped;
  } else if (placement.target->lane == nullptr) {
    point.status = placement.target->no_device_status;
    point.reason = (point.status == Status::skipped ? "no device: " : "") + placement.target->no_device;
  }
  return point;
}

/// Why the point cannot run where it has a device, or an empty text.
std::string SweepSpace::obstacle(const Point& point, const Placement& placement, const Problem& problem) {
  if (!problem.error.empty()) return problem.error;
  const Lane* lane = placement.target->lane;
  if (std::string reason = excluded_by_condition(point, lane); !reason.empty()) return reason;
  if (lane == nullptr) return {};
  return obstacle_to({workload_, *placement.target->backend, *placement.variant, lane->device, problem.spec,
                      point.tunables});
}

/// Which condition of the sweep excludes the point, with the values that it mentions, or an empty text. A
/// condition applies when the point has all its names: problem parameters, tunables, `layout`, `cache`,
/// `launch`, `basis`, `backend`, `variant` and, on a lane, `device_type`. One that cannot be evaluated
/// excludes the point.
std::string SweepSpace::excluded_by_condition(const Point& point, const Lane* lane) {
  const auto type = lane == nullptr ? std::nullopt : std::optional(lane->device.type);
  for (const Condition& condition : sweep_.where) {
    const Expression& expression = condition.expression;
    Parameters values;
    for (const std::string& name : expression.names()) {
      auto value = value_at(point, name, type);
      if (!value) break;
      values.emplace(name, std::move(*value));
    }
    if (values.size() != expression.names().size()) continue;
    try {
      if (expression.holds(values)) continue;
    } catch (const ExpressionError& error) {
      report(condition, error, values);
      return fmt::format("where: \"{}\" cannot be evaluated: {} ({})", expression.text(), error.what(),
                         to_text(values));
    }
    return fmt::format("where: \"{}\" is false ({})", expression.text(), to_text(values));
  }
  return {};
}

/// Once for each condition.
void SweepSpace::report(const Condition& condition, const ExpressionError& error,
                        const Parameters& values) {
  if (!reported_.insert(&condition).second) return;
  const Position quote = condition.position;
  warnings_.warning(
      position_in_string(warnings_.source(quote.source), quote, error.offset()),
      fmt::format("where: {} ({}); points like this are skipped", error.what(), to_text(values)));
}

}  // namespace benchctl

#include "sweep/targets.hpp"

#include "config/measure_settings.hpp"
#include "model/glob.hpp"
#include "model/names.hpp"
#include "model/suggest.hpp"
#include "sweep/space.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

bool matches(const Match& match, const Target& target) {
  if (match.backend && match.backend->text != target.backend->name) return false;
  if (match.device_type) {
    if (target.lane == nullptr || target.lane->device.type != *match.device_type) return false;
  }
  if (match.device) {
    if (target.lane == nullptr || !glob_match(match.device->text, target.name)) return false;
  }
  return true;
}

void check_zips(const Config& config, const Sweep& sweep, const Target& target) {
  for (const ZipGroup& zip : sweep.zips) {
    std::vector<std::string> lengths;
    bool equal = true;
    std::size_t first = 0;
    for (const Word& name : zip.names) {
      const auto axis = std::ranges::find(target.axes, name.text, &Axis::name);
      if (axis == target.axes.end()) continue;
      if (lengths.empty()) first = axis->values.size();
      equal = equal && axis->values.size() == first;
      lengths.push_back(fmt::format("{} has {}", name.text, axis->values.size()));
    }
    if (equal) continue;
    Reporter reporter = config.reporter();
    reporter.error(zip.position, {},
                   fmt::format("the overrides for {} together leave tied axes of different lengths: {}",
                               target.name, fmt::join(lengths, ", ")),
                   "as many values in each");
    throw ConfigErrors(reporter.take());
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
      const auto found = std::ranges::find(target.axes, axis.name, &Axis::name);
      if (found != target.axes.end()) {
        *found = axis;
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
  std::vector<std::string> names;
  for (const BackendLanes& backend : lanes) {
    for (const Lane& lane : backend.lanes) names.push_back(lane.name());
  }
  for (const Word& pattern : sweep.devices) {
    if (std::ranges::any_of(names,
                            [&](const std::string& name) { return glob_match(pattern.text, name); })) {
      continue;
    }
    warnings
        .warning(pattern.position, pattern.text,
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

bool names_backend(const Sweep& sweep, const std::string& name) {
  return sweep.backends && std::ranges::find(*sweep.backends, name, &Word::text) != sweep.backends->end();
}

/// Names in one sweep that no present backend knows.
class Unknown {
 public:
  Unknown(const Config& config, const Sweep& sweep, const Catalogue& catalogue,
          const std::vector<const AbsentBackend*>& absent) {
    for (const BackendEntry& backend : catalogue.backends) {
      if (sweep.backends && !names_backend(sweep, backend.name)) continue;
      for (const VariantInfo* variant : selected_variants(sweep, backend)) take(*variant);
    }
    for (const KernelEntry& kernel : config.kernels) {
      if (kernel.variant.workload == sweep.workload.text) own_.push_back(kernel.variant.name);
    }
    for (const AbsentBackend* backend : absent) {
      for (const VariantInfo& variant : backend->variants) {
        for (const TunableInfo& tunable : variant.tunables) add_once(names_, tunable.name);
      }
    }
    add_names_without_variants(*config.workloads.find(sweep.workload.text));
    look_at(sweep);
  }

  /// Words of `variants`.
  [[nodiscard]] const Names& variants() const { return variants_; }
  /// Axes, and names in conditions.
  [[nodiscard]] const Names& tunables() const { return tunables_; }
  /// Does the sweep name the config's own kernels alone? Then each one's backend is known.
  [[nodiscard]] bool names_own_kernels_only(const Sweep& sweep) const {
    return sweep.variants && std::ranges::all_of(*sweep.variants, [&](const Word& word) {
             return contains(own_, word.text);
           });
  }

 private:
  void take(const VariantInfo& variant) {
    known_.push_back(&variant);
    for (const TunableInfo& tunable : variant.tunables) add_once(names_, tunable.name);
  }

  void add_names_without_variants(const Workload& workload) {
    for (const ParameterInfo& parameter : workload.parameters()) add_once(names_, parameter.name);
    for (const MeasureKey& key : measure_keys()) add_once(names_, key.name);
    for (const char* name : {"layout", "backend", "device_type", "variant"}) add_once(names_, name);
    add_once(names_, twin_tunable().name);
  }

  void look_at(const Sweep& sweep) {
    for (const Word& word : sweep.variants.value_or(std::vector<Word>{})) {
      const bool is_known = std::ranges::any_of(
          known_, [&](const VariantInfo* variant) { return selects_variant(word.text, *variant); });
      if (!is_known && !contains(own_, word.text)) add_once(variants_, word.text);
    }
    const auto look_at_name = [&](const std::string& name) {
      if (!contains(names_, name)) add_once(tunables_, name);
    };
    for (const Axis& axis : sweep.axes) look_at_name(axis.name);
    for (const Override& over : sweep.overrides) {
      for (const Axis& axis : over.axes) look_at_name(axis.name);
    }
    for (const Condition& condition : sweep.where)
      std::ranges::for_each(condition.expression.names(), look_at_name);
  }

  std::vector<const VariantInfo*> known_;
  Names own_;
  Names names_;
  Names variants_;
  Names tunables_;
};

Names variants_of(const AbsentBackend& absent, const Sweep& sweep, const Unknown& unknown) {
  const std::string any(1, '*');  // GCC 12 warns of a literal here
  Names names;
  for (const Word& word : sweep.variants.value_or(std::vector<Word>{{any, {}}})) {
    for (const VariantInfo& own : absent.variants) {
      if (own.workload == sweep.workload.text && selects_variant(word.text, own)) add_once(names, own.name);
    }
  }
  for (const std::string& word : unknown.variants()) add_once(names, word);
  const bool is_missed = names_backend(sweep, absent.name) || !unknown.tunables().empty();
  if (names.empty() && is_missed && !unknown.names_own_kernels_only(sweep)) names.push_back(any);
  return names;
}

}  // namespace

std::vector<Target> sweep_targets(const Config& config, const Sweep& sweep, const Catalogue& catalogue,
                                  const LaneTable& lanes, Reporter& warnings) {
  std::vector<std::string> backends;
  if (sweep.backends) {
    for (const Word& word : *sweep.backends) backends.push_back(word.text);
  } else {
    for (const BackendLanes& entry : lanes) backends.push_back(entry.backend);
  }
  std::vector<Target> targets;
  for (const std::string& name : backends) {
    const BackendEntry* backend = catalogue.find(name);
    const auto found = std::ranges::find(lanes, name, &BackendLanes::backend);
    if (backend != nullptr && found != lanes.end()) add_backend(sweep, *backend, *found, targets);
  }
  for (Target& target : targets) settle(config, sweep, target);
  warn_of_patterns(sweep, lanes, warnings);
  return targets;
}

std::vector<const AbsentBackend*> absent_backends(const Sweep& sweep, const Catalogue& catalogue) {
  std::vector<const AbsentBackend*> meant;
  for (const AbsentBackend& backend : catalogue.absent) {
    const bool named = sweep.backends ? std::ranges::find(*sweep.backends, backend.name, &Word::text) !=
                                            sweep.backends->end()
                                      : backend.is_backend;
    if (named && wanted_without_device(sweep, backend.name)) meant.push_back(&backend);
  }
  return meant;
}

std::vector<Point> absent_rows(const Config& config, std::size_t sweep, const Catalogue& catalogue) {
  const Sweep& what = config.sweeps.at(sweep);
  std::vector<Point> rows;
  const std::vector<const AbsentBackend*> absent = absent_backends(what, catalogue);
  if (absent.empty()) return rows;
  const Unknown unknown(config, what, catalogue, absent);
  for (const AbsentBackend* backend : absent) {
    for (const std::string& variant : variants_of(*backend, what, unknown)) {
      Point& point = rows.emplace_back();
      point.sweep = sweep;
      point.workload = what.workload.text;
      point.variant = variant;
      point.backend = backend->name;
      point.device = backend->name;
      point.measure = config.measure;
      point.expect = expectation(what, variant);
      point.status = Status::skipped;
      const bool any = variant == "*" && !unknown.tunables().empty();
      point.reason =
          fmt::format("no plugin '{}'{}: {}", backend->name,
                      any ? fmt::format(", which may have {}", fmt::join(unknown.tunables(), ", ")) : "",
                      backend->reason);
    }
  }
  return rows;
}

}  // namespace benchctl

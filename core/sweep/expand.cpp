#include "sweep/expand.hpp"

#include "config/measure_settings.hpp"
#include "model/keys.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "sweep/search.hpp"
#include "sweep/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace benchctl {

namespace {

/// Points that are measured alike and come out alike become one: the first of them that can run, in the
/// place of the first.
std::vector<Point> each_once(std::vector<Point> all) {
  std::vector<Point> points;
  points.reserve(all.size());
  const auto hash = [&](std::size_t place) { return PointKey(points[place]).hash(); };
  const auto same = [&](std::size_t one, std::size_t other) {
    const Point& a = points[one];
    const Point& b = points[other];
    return a.measure == b.measure && a.expect == b.expect && PointKey(a) == PointKey(b);
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

/// Points of one key differ in how they are measured or in what is expected: their labels say in what.
void tell_apart(std::vector<Point>& points) {
  std::unordered_map<PointKey, std::vector<Point*>, KeyHash> namesakes;
  for (Point& point : points) namesakes[PointKey(point)].push_back(&point);
  for (const auto& entry : namesakes) {
    const std::vector<Point*>& own = entry.second;
    const auto add = [&own](const std::string& name, const auto& text) {
      const std::string first = text(*own.front());
      if (std::ranges::all_of(own, [&](const Point* point) { return text(*point) == first; })) return;
      for (Point* point : own) {
        point->apart += fmt::format("{}{}={}", point->apart.empty() ? "" : " ", name, text(*point));
      }
    };
    if (own.size() < 2) continue;
    for (const MeasureKeyInfo& setting : measure_keys())
      add(setting.name, [&](const Point& point) { return setting.text(point.measure); });
    add("expect", [](const Point& point) { return std::string(to_string(point.expect)); });
  }
}

/// Ranks of all values that these axes have: by size where everybody lists rising numbers, otherwise in
/// order of first appearance.
std::map<Value, std::size_t, ValueOrder> ranks_of(const std::vector<const Axis*>& axes) {
  std::map<Value, std::size_t, ValueOrder> ranks;
  bool rising = true;
  for (const Axis* axis : axes) {
    rising = rising && std::ranges::all_of(axis->values, is_number) &&
             std::ranges::is_sorted(axis->values, ValueOrder{});
    for (const Value& value : axis->values) ranks.try_emplace(value, ranks.size());
  }
  std::size_t next = 0;
  for (auto& [value, rank] : ranks) rank = 1 + (rising ? next++ : rank);
  return ranks;
}

/// The order of a sweep's points: by problem and layout (the first axis outermost), then by measure
/// parameters, then as they were made.
class PointOrder {
 public:
  PointOrder(const Workload& workload, const std::vector<Target>& targets) {
    Names names;
    std::map<std::string, std::vector<const Axis*>> axes;
    for (const Target& target : targets) {
      for (const Axis& axis : target.axes) {
        if (class_of(workload, axis.name) == AxisClass::tunable) continue;
        add_once(names, axis.name);
        axes[axis.name].push_back(&axis);
      }
    }
    std::stable_partition(names.begin(), names.end(), [&](const std::string& name) {
      return class_of(workload, name) != AxisClass::measure;
    });
    for (const std::string& name : names)
      axes_.emplace(name, AxisOrder{axes_.size(), ranks_of(axes[name])});
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
        const auto& [position, order] = found->second;
        ranks[position] = order.find(axis->values[dimension.places[places[d]]])->second;
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

/// One sweep on its way to points.
class SweepExpansion {
 public:
  SweepExpansion(const Config& config, std::size_t index, const Catalogue& catalogue,
                 const LaneTable& lanes, Reporter& warnings)
      : config_(config), sweep_(config.sweeps[index]), space_(config, index, catalogue, lanes, warnings) {}

  /// Adds the points to those of the sweeps before, and their number to `combinations`: a double, since a
  /// product of axes may be beyond every integer.
  void run(std::vector<Point>& points, double& combinations) {
    refuse_too_many(combinations);
    for (const auto& [placement, places, ranks] : visits()) {
      Point point = space_.start(*placement);
      for (std::size_t d = 0; d < places.size(); ++d) apply(placement->dimensions[d], places[d], point);
      points.push_back(space_.finished(*placement, std::move(point)));
    }
  }

 private:
  struct Visit {
    const Placement* placement;
    std::vector<std::uint32_t> places;  ///< by dimension
    std::vector<std::size_t> ranks;
  };

  void refuse_too_many(double& combinations) const {
    const double before = combinations;
    double total = 0;
    for (const Placement& placement : space_.placements()) {
      double product = 1;
      for (const Dimension& dimension : placement.dimensions) product *= dimension.length();
      total += product;
    }
    combinations += total;
    if (combinations <= static_cast<double>(max_combinations)) return;
    Reporter reporter = config_.reporter();  // a copy of the text, so not for every sweep
    reporter.error(
        sweep_.position,
        fmt::format("sweep '{}' comes to {:.0f} points on this machine{}", sweep_.name, total,
                    before > 0 ? fmt::format(", after {:.0f} of the sweeps before it", before) : ""),
        fmt::format("at most {}; narrow the axes, tie some with zip, or let a search draw points: "
                    "[search] strategy = \"random\"",
                    max_combinations));
    reporter.throw_if_any();
  }

  /// Every combination, in the order of the points.
  [[nodiscard]] std::vector<Visit> visits() const {
    const PointOrder order(space_.workload(), space_.targets());
    std::vector<Visit> visits;
    for (const Placement& placement : space_.placements()) {
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

  const Config& config_;
  const Sweep& sweep_;
  SweepSpace space_;
};

/// Names in one sweep that no present backend knows.
struct Unknown {
  Names variants;        ///< words of `variants`
  Names tunables;        ///< axes, and names in conditions
  bool own_only = true;  ///< the sweep names the config's own kernels alone: each one's backend is known
};

Unknown unknown_names(const Config& config, const Sweep& sweep, const Catalogue& catalogue,
                      const std::vector<const AbsentBackend*>& absent) {
  std::vector<const VariantInfo*> known;
  for (const BackendEntry& backend : catalogue.backends) {
    if (sweep.takes_backend(backend.name))
      std::ranges::copy(selected_variants(sweep, backend), std::back_inserter(known));
  }
  std::vector<const VariantInfo*> all = known;
  for (const AbsentBackend* backend : absent) {
    for (const VariantInfo& variant : backend->variants) all.push_back(&variant);
  }
  Names names = axes_of(*config.workloads.find(sweep.workload.text), all);
  names.insert(names.end(), {"layout", "backend", "device_type", "variant"});
  Names own;
  for (const KernelEntry& kernel : config.kernels) {
    if (kernel.variant.workload == sweep.workload.text) own.push_back(kernel.variant.name);
  }
  Unknown unknown;
  unknown.own_only = sweep.variants.has_value();
  for (const Word& word : sweep.variants.value_or(std::vector<Word>{})) {
    if (contains(own, word.text)) continue;
    unknown.own_only = false;
    const bool is_known = std::ranges::any_of(
        known, [&](const VariantInfo* variant) { return selects_variant(word.text, *variant); });
    if (!is_known) add_once(unknown.variants, word.text);
  }
  const auto look_at = [&](const std::string& name) {
    if (!contains(names, name)) add_once(unknown.tunables, name);
  };
  for (const Axis& axis : sweep.axes) look_at(axis.name);
  for (const Override& over : sweep.overrides) {
    for (const Axis& axis : over.axes) look_at(axis.name);
  }
  for (const Condition& condition : sweep.where)
    std::ranges::for_each(condition.expression.names(), look_at);
  return unknown;
}

Names variants_of(const AbsentBackend& absent, const Sweep& sweep, const Unknown& unknown) {
  const std::string any(1, '*');  // GCC 12 warns of a literal here
  Names names;
  for (const Word& word : sweep.variants.value_or(std::vector<Word>{{any, {}}})) {
    for (const VariantInfo& own : absent.variants) {
      if (own.workload == sweep.workload.text && selects_variant(word.text, own)) add_once(names, own.name);
    }
  }
  for (const std::string& word : unknown.variants) add_once(names, word);
  const bool is_missed = (sweep.backends && sweep.takes_backend(absent.name)) || !unknown.tunables.empty();
  if (names.empty() && is_missed && !unknown.own_only) names.push_back(any);
  return names;
}

/// A skipped point for every variant of an absent backend that the sweep may mean: the config's own
/// kernels, and words that no present backend knows. `*` stands for variants that nobody can name: if the
/// sweep names the backend, or a tunable that no present backend knows.
std::vector<Point> absent_rows(const Config& config, std::size_t sweep, const Catalogue& catalogue) {
  const Sweep& what = config.sweeps.at(sweep);
  std::vector<Point> rows;
  const std::vector<const AbsentBackend*> absent = absent_backends(what, catalogue);
  if (absent.empty()) return rows;
  const Unknown unknown = unknown_names(config, what, catalogue, absent);
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
      const bool any = variant == "*" && !unknown.tunables.empty();
      point.reason =
          fmt::format("no plugin '{}'{}: {}", backend->name,
                      any ? fmt::format(", which may have {}", fmt::join(unknown.tunables, ", ")) : "",
                      backend->reason);
    }
  }
  return rows;
}

}  // namespace

Expansion expand(const Config& config, const Catalogue& catalogue, const LaneTable& lanes) {
  Expansion expansion;
  std::vector<Point> points;
  Reporter warnings = config.reporter();
  double combinations = 0;
  for (std::size_t i = 0; i < config.sweeps.size(); ++i) {
    if (!is_searched(config, i))
      SweepExpansion(config, i, catalogue, lanes, warnings).run(points, combinations);
    std::ranges::move(absent_rows(config, i, catalogue), std::back_inserter(points));
  }
  expansion.points = each_once(std::move(points));
  if (config.sweeps.size() > 1) tell_apart(expansion.points);
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

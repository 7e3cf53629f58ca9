#include "sweep/tuning_sweeps.hpp"

#include "model/values.hpp"
#include "sweep/search.hpp"
#include "sweep/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace benchctl {

namespace {

using Variants = std::vector<const VariantInfo*>;

SearchSettings settings_of(const Config& config, std::size_t sweep, const TuningLimits& limits) {
  SearchSettings settings = search_settings(config, sweep);
  const bool is_chosen = settings.strategy.position.line != 0;
  if (!is_chosen) settings.strategy.text = "hill_climb";
  if (limits.points) settings.max_points = *limits.points;
  if (settings.max_points == 0 && !is_chosen) settings.max_points = default_tuning_points;
  if (limits.seed) settings.seed = *limits.seed;
  return settings;
}

/// Sweeps of one sweep.
class TuningSweeps {
 public:
  TuningSweeps(const Sweep& sweep, SearchSettings settings, std::vector<Sweep>& sweeps)
      : sweep_(sweep), settings_(std::move(settings)), sweeps_(sweeps) {}

  void add(const BackendEntry& backend) {
    Variants selected = selected_variants(sweep_, backend);
    std::erase_if(selected, [&](const VariantInfo* variant) {
      return variant->wrong_on_purpose || expectation(sweep_, variant->name) == Expect::wrong;
    });
    const auto in_choice = [&](const VariantInfo* variant) {
      return std::ranges::any_of(selected, [&](const VariantInfo* choice) {
        return std::ranges::find(choice->among, variant->name) != choice->among.end();
      });
    };
    for (const VariantInfo* variant : selected) {
      if (!in_choice(variant)) add(backend, *variant);
    }
  }

 private:
  void add(const BackendEntry& backend, const VariantInfo& tuned) {
    Variants bases;
    if (tuned.among.empty()) bases.push_back(&tuned);
    for (const std::string& name : tuned.among) {
      if (const VariantInfo* base = backend.find_variant(tuned.workload, name)) bases.push_back(base);
    }
    Sweep sweep = sweep_;
    sweep.name = fmt::format("{} of {}", tuned.name, sweep_.name);
    sweep.backends = {{backend.name, sweep_.position}};
    sweep.variants.emplace();
    for (const VariantInfo* base : bases) sweep.variants->push_back({base->name, sweep_.position});
    sweep.expect = Expect::right;
    sweep.expectations.clear();
    sweep.search = settings_;
    sweep.search->tuned = tuned.name;
    measure_singly(sweep.measure);
    for (Override& over : sweep.overrides) measure_singly(over.measure);
    bool searched = bases.size() > 1;
    for (const VariantInfo* base : bases) {
      for (const TunableInfo& tunable : base->tunables) {
        const auto own = std::ranges::find(sweep_.axes, tunable.name, &Axis::name);
        searched = searched || own != sweep_.axes.end() || tunable.values.size() > 1;
        if (own != sweep_.axes.end() || tunable.values.empty()) continue;
        extend(axis_of(sweep, tunable.name), tunable, backend, base->name);
      }
    }
    if (searched) sweeps_.push_back(std::move(sweep));
  }

  /// Pairs are for the finals.
  void measure_singly(MeasurePatch& measure) const {
    measure.push_back({"mode", std::string("independent"), sweep_.position});
    measure.push_back({"replicates", std::int64_t{1}, sweep_.position});
  }

  static Axis& axis_of(Sweep& sweep, const std::string& name) {
    const auto found = std::ranges::find(sweep.axes, name, &Axis::name);
    if (found != sweep.axes.end()) return *found;
    return sweep.axes.emplace_back(Axis{name, sweep.position, {}, {}, {}});
  }

  void extend(Axis& axis, const TunableInfo& tunable, const BackendEntry& backend,
              const std::string& variant) const {
    std::set<Value, ValueOrder> seen(axis.values.begin(), axis.values.end());
    const auto add = [&](const Value& value) {
      if (seen.insert(value).second) axis.values.push_back(value);
    };
    std::ranges::for_each(tunable.values, add);
    add(tunable.default_value);
    for (const TuningTable& table : backend.tunings) {
      if (table.workload != sweep_.workload.text) continue;
      for (const TunedClass& tuned : table.classes) {
        for (const Configuration& one : tuned.configurations) {
          const auto value = one.tunables.find(tunable.name);
          const bool fits = one.variant == variant && value != one.tunables.end() &&
                            value->second.index() == tunable.default_value.index();
          if (fits) add(value->second);
        }
      }
    }
    if (std::ranges::all_of(axis.values, is_number)) std::ranges::sort(axis.values, ValueOrder{});
    axis.value_positions.assign(axis.values.size(), sweep_.position);
  }

  const Sweep& sweep_;
  SearchSettings settings_;
  std::vector<Sweep>& sweeps_;
};

}  // namespace

void make_tuning_sweeps(Config& config, const Catalogue& catalogue, const TuningLimits& limits) {
  std::vector<Sweep> sweeps;
  for (std::size_t i = 0; i < config.sweeps.size(); ++i) {
    const Sweep& sweep = config.sweeps[i];
    // Every roof is wanted, not the quickest probe.
    if (sweep.workload.text == roof_workload().name()) continue;
    TuningSweeps tuning(sweep, settings_of(config, i, limits), sweeps);
    for (const BackendEntry& backend : catalogue.backends) {
      if (sweep.takes_backend(backend.name)) tuning.add(backend);
    }
  }
  config.sweeps = std::move(sweeps);
}

}  // namespace benchctl

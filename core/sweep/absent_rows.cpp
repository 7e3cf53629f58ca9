#include "sweep/absent_rows.hpp"

#include "config/measure_settings.hpp"
#include "model/names.hpp"
#include "sweep/space.hpp"
#include "sweep/targets.hpp"
#include "sweep/twin.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

bool names_backend(const Sweep& sweep, const std::string& name) {
  return sweep.backends && std::ranges::find(*sweep.backends, name, &Word::text) != sweep.backends->end();
}

/// What one sweep says that no backend knows that is there.
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
    add_names_without_variants(*find_workload(sweep.workload.text));
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

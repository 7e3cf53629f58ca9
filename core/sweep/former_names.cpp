#include "sweep/former_names.hpp"

#include "model/glob.hpp"

#include <algorithm>

namespace benchctl {

namespace {

/// Is it one of the names or patterns?
bool is_named(const std::vector<Word>& words, const std::string& text) {
  return std::ranges::any_of(words, [&](const Word& word) { return glob_match(word.text, text); });
}

void rename(std::string& name, const FormerNames& names) {
  if (const auto found = names.find(name); found != names.end()) name = found->second;
}

/// An axis that is there under both names is left to be refused.
void rename(std::vector<Axis>& axes, const FormerNames& names) {
  for (Axis& axis : axes) {
    const auto found = names.find(axis.name);
    if (found != names.end() && std::ranges::find(axes, found->second, &Axis::name) == axes.end())
      axis.name = found->second;
  }
}

}  // namespace

FormerNames former_names(const Sweep& sweep, const Catalogue& catalogue) {
  std::vector<VariantInfo> variants;
  for (const BackendEntry& backend : catalogue.backends) {
    if (sweep.backends && !is_named(*sweep.backends, backend.name)) continue;
    std::ranges::copy_if(backend.variants, std::back_inserter(variants), [&](const VariantInfo& variant) {
      return variant.workload == sweep.workload.text &&
             (!sweep.variants || is_named(*sweep.variants, variant.name));
    });
  }
  return former_names(variants);
}

void use_current_names(Config& config, const Catalogue& catalogue) {
  for (Sweep& sweep : config.sweeps) {
    const FormerNames names = former_names(sweep, catalogue);
    if (names.empty()) continue;
    rename(sweep.axes, names);
    for (Override& over : sweep.overrides) rename(over.axes, names);
    for (ZipGroup& zip : sweep.zips) {
      for (Word& name : zip.names) rename(name.text, names);
    }
    for (Condition& condition : sweep.where) {
      const std::string text = renamed(condition.expression.text(), names);
      if (text != condition.expression.text()) condition.expression = Expression::parse(text);
    }
  }
  std::vector<VariantInfo> all;
  for (const BackendEntry& backend : catalogue.backends)
    all.insert(all.end(), backend.variants.begin(), backend.variants.end());
  const FormerNames names = former_names(all);
  config.compare.baseline = renamed(config.compare.baseline, names);
  for (PublishedEntry& entry : config.published) {
    entry.figures.match = renamed(entry.figures.match, names);
    rename(entry.figures.axis, names);
  }
}

void use_current_names(BackendEntry& backend) {
  for (TuningTable& table : backend.tunings) {
    for (TunedClass& tuned : table.classes) {
      for (Configuration& one : tuned.configurations) {
        const VariantInfo* variant = backend.find_variant(table.workload, one.variant);
        if (variant != nullptr) one.tunables = renamed(one.tunables, former_names({variant, 1}));
      }
    }
  }
}

}  // namespace benchctl

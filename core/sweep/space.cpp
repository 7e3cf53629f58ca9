#include "sweep/space.hpp"

#include "config/measure_settings.hpp"
#include "config/tuple_order.hpp"
#include "sweep/catalogue.hpp"

#include <algorithm>
#include <set>

namespace benchctl {

namespace {

const ZipGroup* zip_of(const Sweep& sweep, const std::string& axis) {
  const auto found = std::ranges::find_if(sweep.zips, [&](const ZipGroup& group) {
    return std::ranges::find(group.names, axis, &Word::text) != group.names.end();
  });
  return found == sweep.zips.end() ? nullptr : &*found;
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
           std::ranges::find(variant.tunables, axis, &TunableInfo::name) != variant.tunables.end();
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
  const bool takes_first = taken.empty() || std::ranges::find(taken, layouts.front()) != taken.end();
  return takes_first ? layouts.front() : taken.front();
}

}  // namespace

AxisClass class_of(const Workload& workload, const std::string& axis) {
  for (const ParameterInfo& parameter : workload.parameters()) {
    if (parameter.name == axis) return AxisClass::problem;
  }
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
  for (const VariantExpectation& entry : sweep.expectations) {
    if (entry.variant.text == variant) return entry.expect;
  }
  return sweep.expect;
}

std::vector<Placement> placements(const Sweep& sweep, const Workload& workload,
                                  const std::vector<Target>& targets) {
  std::vector<Placement> result;
  for (const Target& target : targets) {
    for (const VariantInfo* variant : selected_variants(sweep, *target.backend)) {
      Placement& placement = result.emplace_back();
      placement.target = &target;
      placement.variant = variant;
      placement.dimensions = dimensions(sweep, workload, target, *variant);
      placement.layout = default_layout(workload, *variant);
      placement.expect = expectation(sweep, variant->name);
      for (const TunableInfo& tunable : variant->tunables)
        placement.tunables.set(tunable.name, tunable.default_value);
    }
  }
  return result;
}

Combination start(const Placement& placement) {
  return {{}, placement.layout, placement.tunables, placement.target->measure};
}

void apply(const Dimension& dimension, std::size_t place, Combination& combination) {
  for (std::size_t i = 0; i < dimension.axes.size(); ++i) {
    const Axis* axis = dimension.axes[i];
    const Value& value = axis->values[dimension.places[place]];
    switch (dimension.classes[i]) {
      case AxisClass::problem:
        combination.problem.set(axis->name, value);
        break;
      case AxisClass::layout:
        combination.layout = std::get<std::string>(value);
        break;
      case AxisClass::measure:
        find_measure_key(axis->name)->set(combination.measure, value);
        break;
      case AxisClass::tunable:
        combination.tunables.set(axis->name, value);
        break;
    }
  }
}

}  // namespace benchctl

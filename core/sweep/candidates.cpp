#include "sweep/candidates.hpp"

#include "config/measure_settings.hpp"
#include "config/tuple_order.hpp"
#include "model/value_order.hpp"
#include "sweep/twin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

/// Places of combinations in an order. As many as all combinations times all values of an axis are fine.
constexpr std::uint64_t most_places = std::uint64_t{1} << 40U;
static_assert(max_combinations * (max_combinations + 1) < most_places);

const TunableInfo* find_tunable(const VariantInfo& variant, const std::string& name) {
  const auto found = std::ranges::find(variant.tunables, name, &TunableInfo::name);
  return found == variant.tunables.end() ? nullptr : &*found;
}

const ZipGroup* zip_of(const Sweep& sweep, const std::string& axis) {
  const auto found = std::ranges::find_if(sweep.zips, [&](const ZipGroup& group) {
    return std::ranges::find(group.names, axis, &Word::text) != group.names.end();
  });
  return found == sweep.zips.end() ? nullptr : &*found;
}

/// The values of these axes together, each combination once.
Dimension make_dimension(std::vector<const Axis*> axes) {
  Dimension dimension;
  dimension.axes = std::move(axes);
  std::set<std::size_t, TupleOrder> seen(TupleOrder{dimension.axes});
  // Values of an axis alone differ.
  const bool may_repeat =
      std::ranges::all_of(dimension.axes, [](const Axis* axis) { return !axis->repeats.empty(); });
  for (std::size_t place = 0; place < dimension.axes.front()->values.size(); ++place) {
    if (!may_repeat || seen.insert(place).second) dimension.places.push_back(place);
  }
  return dimension;
}

bool has_tunables(const Dimension& dimension) {
  return std::ranges::find(dimension.classes, AxisClass::tunable) != dimension.classes.end();
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

}  // namespace

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

Candidates::Candidates(const Config& config, const Sweep& sweep, const Workload& workload,
                       const std::vector<Target>& targets, Extent extent, SweepTotals before)
    : sweep_(sweep), workload_(workload), targets_(targets), totals_(before) {
  for (const Target& target : targets_) {
    for (const Axis& axis : target.axes) {
      if (std::ranges::find(axis_names_, axis.name) == axis_names_.end()) axis_names_.push_back(axis.name);
    }
  }
  collect_choices();
  if (extent == Extent::choices_only) return;
  refuse_too_many(config);
  rank_axes();
  enumerate();
}

AxisClass Candidates::class_of(const std::string& axis) const {
  for (const ParameterInfo& parameter : workload_.parameters()) {
    if (parameter.name == axis) return AxisClass::problem;
  }
  if (axis == "layout" && !workload_.layouts().empty()) return AxisClass::layout;
  const MeasureKey* key = find_measure_key(axis);
  return key != nullptr && key->is_parameter() ? AxisClass::measure : AxisClass::tunable;
}

std::vector<Dimension> Candidates::dimensions(const Target& target, const VariantInfo& variant) const {
  const auto has = [&](const std::string& axis) {
    return class_of(axis) != AxisClass::tunable || axis == twin_tunable().name ||
           find_tunable(variant, axis) != nullptr;
  };
  std::vector<Dimension> result;
  std::set<const ZipGroup*> placed;
  for (const Axis& axis : target.axes) {
    if (!has(axis.name)) continue;
    const ZipGroup* zip = zip_of(sweep_, axis.name);
    if (zip == nullptr) {
      result.push_back(make_dimension({&axis}));
    } else if (placed.insert(zip).second) {
      std::vector<const Axis*> tied;
      for (const Axis& member : target.axes) {
        if (zip_of(sweep_, member.name) == zip && has(member.name)) tied.push_back(&member);
      }
      result.push_back(make_dimension(std::move(tied)));
    }
  }
  for (Dimension& dimension : result) {
    for (const Axis* axis : dimension.axes) dimension.classes.push_back(class_of(axis->name));
  }
  return result;
}

/// The workload's first layout, or the first that the variant takes if it does not take that one.
std::string Candidates::default_layout(const VariantInfo& variant) const {
  const auto layouts = workload_.layouts();
  if (layouts.empty()) return {};
  const auto& taken = variant.layouts;
  const bool takes_first = taken.empty() || std::ranges::find(taken, layouts.front()) != taken.end();
  return takes_first ? layouts.front() : taken.front();
}

void Candidates::collect_choices() {
  for (const Target& target : targets_) {
    for (const VariantInfo* variant : selected_variants(sweep_, *target.backend)) {
      Choice choice;
      choice.target = &target;
      choice.variant = variant;
      choice.dimensions = dimensions(target, *variant);
      choice.layout = default_layout(*variant);
      choice.expect = expectation(sweep_, variant->name);
      for (const TunableInfo& tunable : variant->tunables) {
        choice.tunables.set(tunable.name, tunable.default_value);
      }
      choices_.push_back(std::move(choice));
    }
  }
}

void Candidates::refuse_too_many(const Config& config) {
  const double before = totals_.combinations;
  double total = 0;
  for (const Choice& choice : choices_) {
    double product = 1;
    for (const Dimension& dimension : choice.dimensions) product *= static_cast<double>(dimension.length());
    total += product;
  }
  double bytes = 0;
  for (const Condition& condition : sweep_.where) {
    bytes += static_cast<double>(condition.expression.text().size());
  }
  totals_.combinations += total;
  totals_.condition_bytes += total * bytes;
  const bool many = totals_.combinations > static_cast<double>(max_combinations);
  if (!many && totals_.condition_bytes <= static_cast<double>(max_condition_bytes)) return;
  Reporter reporter = config.reporter();  // a copy of the text, so not for every sweep
  if (many) {
    reporter.error(
        sweep_.position, sweep_.name,
        fmt::format("sweep '{}' comes to {:.0f} points on this machine{}", sweep_.name, total,
                    before > 0 ? fmt::format(", after {:.0f} of the sweeps before it", before) : ""),
        fmt::format(
            "at most {}; shorten an axis, tie some with zip, or search: [search] strategy = \"random\"",
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

void Candidates::rank_axes() {
  for (const std::string& name : axis_names_) {
    if (class_of(name) == AxisClass::tunable) continue;
    std::vector<const Axis*> axes;
    for (const Target& target : targets_) {
      const auto found = std::ranges::find(target.axes, name, &Axis::name);
      if (found != target.axes.end()) axes.push_back(&*found);
    }
    std::map<Value, std::uint32_t, ValueOrder> order;
    for (const Value& value : all_values(axes)) {
      order.emplace(value, static_cast<std::uint32_t>(order.size()));
    }
    for (const Axis* axis : axes) {
      Ranks& ranks = ranks_[axis];
      for (const Value& value : axis->values) ranks.push_back(order.find(value)->second);
    }
  }
}

std::vector<Candidates::Digit> Candidates::digits_of(const std::string& axis) const {
  std::vector<Digit> digits(choices_.size());
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    std::size_t stride = 1;
    for (auto dimension = choices_[c].dimensions.rbegin(); dimension != choices_[c].dimensions.rend();
         ++dimension) {
      const auto found = std::ranges::find(dimension->axes, axis, &Axis::name);
      if (found != dimension->axes.end()) digits[c] = {&*dimension, stride, &ranks_.find(*found)->second};
      stride *= dimension->length();
    }
  }
  return digits;
}

void Candidates::enumerate() {
  std::vector<Sorted> all;
  for (std::uint32_t c = 0; c < choices_.size(); ++c) {
    std::size_t combinations = 1;
    for (const Dimension& dimension : choices_[c].dimensions) combinations *= dimension.length();
    for (std::uint32_t number = 0; number < combinations; ++number) all.push_back({0, 0, {c, number}});
  }
  // Digit by digit, the first axis weighs most.
  std::uint64_t problems = 1;
  std::uint64_t measures = 1;
  for (const std::string& axis : axis_names_) {
    const AxisClass kind = class_of(axis);
    if (kind == AxisClass::tunable) continue;
    std::uint64_t Sorted::*const place = kind == AxisClass::measure ? &Sorted::measure : &Sorted::problem;
    std::uint64_t& places = kind == AxisClass::measure ? measures : problems;
    const std::vector<Digit> digits = digits_of(axis);
    std::uint64_t values = 1;
    for (const Digit& digit : digits) {
      if (digit.ranks != nullptr)
        values = std::max<std::uint64_t>(values, std::ranges::max(*digit.ranks) + 2);
    }
    if (places > most_places / values) places = close_gaps(all, place);
    for (Sorted& one : all)
      one.*place = one.*place * values + digits[one.entry.choice].of(one.entry.number);
    places *= values;
  }
  std::ranges::sort(all, {}, [](const Sorted& one) {
    return std::tuple(one.problem, one.measure, one.entry.choice, one.entry.number);
  });
  given_.resize(choices_.size());
  order_.reserve(all.size());
  for (const Sorted& one : all) order_.push_back(one.entry);
}

std::uint64_t Candidates::close_gaps(std::vector<Sorted>& all, std::uint64_t Sorted::*place) {
  std::vector<std::uint64_t> taken;
  taken.reserve(all.size());
  for (const Sorted& one : all) taken.push_back(one.*place);
  std::ranges::sort(taken);
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  for (Sorted& one : all) {
    one.*place = static_cast<std::uint64_t>(std::ranges::lower_bound(taken, one.*place) - taken.begin());
  }
  return taken.size();
}

Combination Candidates::combination(std::size_t i) {
  const Choice& chosen = choice(i);
  Given& given = given_[order_[i].choice];
  Combination result = start(chosen);
  result.problem = given.problem;
  std::vector<std::size_t> places(chosen.dimensions.size());
  std::size_t rest = order_[i].number;
  std::size_t tunables = 0;
  for (std::size_t d = places.size(); d-- > 0;) {
    const Dimension& dimension = chosen.dimensions[d];
    places[d] = rest % dimension.length();
    rest /= dimension.length();
    if (has_tunables(dimension)) tunables = tunables * dimension.length() + places[d];
  }
  if (tunables >= given.tunables.size()) given.tunables.resize(tunables + 1);
  SharedParameters& known = given.tunables[tunables];
  if (!known.empty()) result.tunables = known;
  for (std::size_t d = 0; d < places.size(); ++d) apply(chosen.dimensions[d], places[d], result);
  given.problem = result.problem;
  known = result.tunables;
  return result;
}

Combination Candidates::start(const Choice& choice) {
  Combination combination;
  combination.layout = choice.layout;
  combination.tunables = choice.tunables;
  combination.measure = choice.target->measure;
  return combination;
}

void Candidates::apply(const Dimension& dimension, std::size_t place, Combination& combination) const {
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

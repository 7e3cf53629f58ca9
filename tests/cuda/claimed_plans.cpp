#include "claimed_plans.hpp"

#include "expr/parsed.hpp"
#include "model/point.hpp"
#include "plugin_under_test.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <algorithm>

namespace benchctl::test {

namespace {

/// Every value that a tunable names, one tunable at a time, the others at their defaults.
std::vector<Parameters> representative_tunables(const VariantInfo& variant) {
  std::vector<Parameters> all{tunables_of(variant)};
  for (const TunableInfo& tunable : variant.tunables) {
    for (const Value& value : tunable.values) {
      if (value == tunable.default_value) continue;
      Parameters other = tunables_of(variant);
      other[tunable.name] = value;
      all.push_back(other);
    }
  }
  return all;
}

/// Every word that a problem parameter can be, but for what only the inputs hold, and every element type
/// that the variant takes.
std::vector<Parameters> representative_problems(const VariantInfo& variant, const Workload& workload) {
  std::vector<Parameters> all{{}};
  for (const ParameterInfo& parameter : workload.parameters()) {
    if (!parameter.is_text || parameter.name == "values") continue;
    std::vector<Parameters> next;
    for (const Parameters& problem : all) {
      for (const std::string& word : parameter.choices) {
        const auto dtype = parse_enum<DType>(word);
        if (parameter.name == "dtype" &&
            std::ranges::find(variant.dtypes, *dtype) == variant.dtypes.end()) {
          continue;
        }
        next.push_back(problem);
        next.back()[parameter.name] = word;
      }
    }
    all = std::move(next);
  }
  for (Parameters& problem : all) problem = complete_parameters(workload, problem);
  return all;
}

std::vector<std::string> representative_layouts(const VariantInfo& variant, const Workload& workload) {
  if (!variant.layouts.empty()) return variant.layouts;
  const auto layouts = workload.layouts();
  if (layouts.empty()) return {""};
  return {layouts.begin(), layouts.end()};
}

}  // namespace

const Parameters& some_gpu() {
  static const Parameters values{{"compute_units", std::int64_t{132}},
                                 {"warp", std::int64_t{32}},
                                 {"last_level_cache", std::int64_t{52428800}}};
  return values;
}

bool allowed(const VariantInfo& variant, const Parameters& given) {
  const Parameters values = with_derived(*variant.kernel, given);
  const auto hold = [&](const std::vector<std::string>& texts) {
    return std::ranges::all_of(
        texts, [&](const std::string& text) { return parsed_expression(text).holds(values); });
  };
  return hold(variant.require) && std::ranges::all_of(variant.tunables, [&](const TunableInfo& tunable) {
           return hold(tunable.require);
         });
}

std::vector<ClaimedPlan> claimed_plans(const VariantInfo& variant) {
  const Workload& workload = *find_workload(variant.workload);
  std::vector<ClaimedPlan> plans;
  for (const Parameters& problem : representative_problems(variant, workload)) {
    for (const std::string& layout : representative_layouts(variant, workload)) {
      for (const Parameters& tunables : representative_tunables(variant)) {
        const Parameters values = kernel_values(problem, layout, tunables, some_gpu());
        if (!allowed(variant, values)) continue;
        plans.push_back({to_text(values), plan_kernel(*variant.kernel, values,
                                                      workload.problem(problem, layout), kernel_folder())});
      }
    }
  }
  return plans;
}

}  // namespace benchctl::test

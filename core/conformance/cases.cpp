#include "conformance/cases.hpp"

#include "config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace benchctl::conformance {

namespace fs = std::filesystem;

namespace {

/// Where not all are wanted: problems of all variants together, and of one variant at least.
constexpr std::size_t most_problems = 2000;
constexpr std::size_t fewest_problems = 5;
/// Limits of a typical problem.
constexpr std::uint64_t moderate_bytes = 1U << 20;

/// One value per axis.
using Combination = std::vector<std::size_t>;

/// The axis that an axis advances with: the first of its zip group, or itself.
std::size_t leader_of(const Sweep& sweep, std::size_t axis) {
  const auto is_in = [&](const ZipGroup& zip, std::size_t one) {
    return std::ranges::find(zip.names, sweep.axes[one].name, &Word::text) != zip.names.end();
  };
  for (std::size_t first = 0; first < axis; ++first) {
    if (std::ranges::any_of(sweep.zips,
                            [&](const ZipGroup& zip) { return is_in(zip, first) && is_in(zip, axis); }))
      return first;
  }
  return axis;
}

/// Every combination of the axes.
std::vector<Combination> all_combinations(const Sweep& sweep) {
  std::vector<Combination> result{Combination(sweep.axes.size(), 0)};
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    const std::size_t leader = leader_of(sweep, axis);
    std::vector<Combination> longer;
    for (Combination& combination : result) {
      if (leader != axis) combination[axis] = combination[leader];
      const std::size_t values = leader == axis ? sweep.axes[axis].values.size() : 1;
      for (std::size_t i = 0; i < values; ++i) {
        longer.push_back(combination);
        longer.back()[axis] += i;
      }
    }
    result = std::move(longer);
  }
  return result;
}

/// So many that every two values of two axes meet at least once.
std::vector<Combination> few_combinations(const Sweep& sweep) {
  std::set<std::array<std::size_t, 4>> met;
  std::vector<Combination> result;
  for (Combination& combination : all_combinations(sweep)) {
    bool is_new = result.empty();
    for (std::size_t one = 0; one < combination.size(); ++one) {
      for (std::size_t other = 0; other < one; ++other) {
        is_new |= met.insert({one, combination[one], other, combination[other]}).second;
      }
    }
    if (is_new || combination.size() == 1) result.push_back(std::move(combination));
  }
  return result;
}

/// Every `n / wanted`-th, the first and the last among them.
std::vector<Case> thinned(std::vector<Case> cases, std::size_t wanted) {
  if (cases.size() <= wanted) return cases;
  std::vector<Case> result;
  for (std::size_t i = 0; i < wanted; ++i)
    result.push_back(std::move(cases[i * (cases.size() - 1) / (wanted - 1)]));
  return result;
}

/// Are its numbers those that a workload draws where nothing is asked for? An error shows in these: among
/// tiny or infinite ones it may not.
bool has_usual_numbers(const Case& one) {
  const auto values = one.problem.parameters.find("values");
  if (values == one.problem.parameters.end()) return true;
  const Parameters usual = complete_parameters(*Workloads::built_in().find(one.problem.workload), {});
  return values->second == usual.at("values");
}

/// Problem that tunables are tried on: the largest moderate one, so that loops and tails are both run.
const Case* for_tunables(const std::vector<Case>& cases) {
  // Better ones are greater.
  const auto rank = [](const Case& one) {
    const std::uint64_t bytes = one.problem.bytes();
    const bool moderate = bytes <= moderate_bytes;
    return std::tuple(moderate, has_usual_numbers(one), moderate ? bytes : ~bytes);
  };
  const auto best = std::ranges::max_element(cases, {}, rank);
  return best == cases.end() ? nullptr : &*best;
}

std::vector<Case> with_tunables(const std::vector<Case>& runnable, const BackendEntry& backend,
                                const DeviceInfo& device) {
  std::vector<Case> result;
  const Case* base = for_tunables(runnable);
  if (base == nullptr) return result;
  for (const TunableInfo& tunable : base->variant->tunables) {
    for (const Value& value : tunable.values) {
      Case one = *base;
      one.tunables[tunable.name] = value;
      if (value != tunable.default_value && obstacle_to(one.on(backend, device)).empty())
        result.push_back(std::move(one));
    }
  }
  return result;
}

}  // namespace

fs::path case_folder() {
  return (fs::read_symlink("/proc/self/exe").parent_path() / "../share/benchctl/conformance")
      .lexically_normal();
}

std::vector<ProblemSpec> problems_of(const Workload& workload, bool full, const fs::path& folder) {
  const Config config = load_config(folder / fmt::format("{}.toml", workload.name()));
  std::vector<ProblemSpec> problems;
  for (const Sweep& sweep : config.sweeps) {
    for (const Combination& combination : full ? all_combinations(sweep) : few_combinations(sweep)) {
      Parameters parameters;
      std::string layout;
      for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
        const Value& value = sweep.axes[axis].values[combination[axis]];
        if (sweep.axes[axis].name == "layout") {
          layout = std::get<std::string>(value);
        } else {
          parameters[sweep.axes[axis].name] = value;
        }
      }
      try {
        problems.push_back(workload.problem(complete_parameters(workload, parameters), layout));
      } catch (const ProblemError&) {
        // A combination that the workload does not have.
      }
    }
  }
  return problems;
}

std::string Case::label() const {
  const Workload& workload = *Workloads::built_in().find(problem.workload);
  std::string text = variant->workload + "/" + variant->name;
  // What differs from the defaults, and what has no say in a label otherwise: the first parameter.
  const Parameters usual = complete_parameters(workload, {});
  for (const ParameterInfo& parameter : workload.parameters()) {
    const Value& value = problem.parameters.at(parameter.name);
    if (value != usual.at(parameter.name)) text += fmt::format(" {}={}", parameter.name, to_text(value));
  }
  if (!problem.layout.empty()) text += " layout=" + problem.layout;
  for (const TunableInfo& tunable : variant->tunables) {
    const Value& value = tunables.at(tunable.name);
    if (value != tunable.default_value) text += fmt::format(" {}={}", tunable.name, to_text(value));
  }
  return text;
}

Cases cases_of(const BackendEntry& backend, const DeviceInfo& device, bool full, const fs::path& folder) {
  Cases cases;
  const std::size_t wanted =
      std::max(fewest_problems, most_problems / std::max<std::size_t>(1, backend.variants.size()));
  std::map<std::string, std::vector<ProblemSpec>> problems;
  for (const VariantInfo& variant : backend.variants) {
    const Workload* workload = Workloads::built_in().find(variant.workload);
    std::vector<Case> possible;
    std::string why;
    if (variant.wrong_on_purpose) {
      why = "wrong on purpose";
    } else if (!variant.among.empty()) {
      why = fmt::format("a choice among {}, which are checked themselves", fmt::join(variant.among, ", "));
    } else if (workload == nullptr) {
      why = "there is no workload '" + variant.workload + "'";
    } else {
      if (!problems.contains(variant.workload))
        problems[variant.workload] = problems_of(*workload, full, folder);
      for (const ProblemSpec& problem : problems[variant.workload]) {
        Case one{&variant, problem, defaults_of(variant)};
        const std::string reason = obstacle_to(one.on(backend, device));
        if (reason.empty()) possible.push_back(std::move(one));
        if (why.empty()) why = reason;
      }
      if (why.empty()) why = "the workload has no problems to try";
    }
    if (possible.empty()) {
      cases.without[variant.workload + "/" + variant.name] = why;
      continue;
    }
    std::vector<Case> tuned = with_tunables(possible, backend, device);
    if (!full) possible = thinned(std::move(possible), wanted);
    std::ranges::move(possible, std::back_inserter(cases.runnable));
    std::ranges::move(tuned, std::back_inserter(cases.runnable));
  }
  return cases;
}

std::vector<Case> typical_cases(const Cases& cases) {
  std::map<std::string, std::vector<Case>> by_variant;
  std::vector<std::string> order;
  for (const Case& one : cases.runnable) {
    const std::string name = one.variant->workload + "/" + one.variant->name;
    if (!by_variant.contains(name)) order.push_back(name);
    if (one.tunables == defaults_of(*one.variant)) by_variant[name].push_back(one);
  }
  std::vector<Case> result;
  for (const std::string& name : order) {
    if (const Case* one = for_tunables(by_variant[name])) result.push_back(*one);
  }
  return result;
}

}  // namespace benchctl::conformance

// Every kernel compiles for every architecture that its variant claims and spills no register. Needs no
// GPU. One test case per portion, so that ctest spreads them over the cores.
#include "config/tuning_file.hpp"
#include "gpu/ptxas_log.hpp"
#include "model/point.hpp"
#include "plugin_under_test.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "sweep/configurations.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <functional>
#include <tuple>

using namespace benchctl;
using namespace benchctl::test;
using gpu::KernelUsage;

namespace {

using Strings = std::vector<std::string>;
const Strings architectures{"sm_80", "sm_90a", "sm_100a", "sm_120"};

/// The default and every other value that a tunable names, one tunable at a time.
std::vector<Parameters> representative_tunables(const VariantInfo& variant) {
  std::vector<Parameters> all{tunables_of(variant)};
  for (const TunableInfo& tunable : variant.tunables) {
    for (const Value& value : tunable.values) {
      if (value != tunable.default_value) all.push_back(tunables_of(variant, {{tunable.name, value}}));
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
        if (parameter.name == "dtype" &&
            std::ranges::find(variant.dtypes, *parse_enum<DType>(word)) == variant.dtypes.end()) {
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

Strings representative_layouts(const VariantInfo& variant, const Workload& workload) {
  const auto layouts = workload.layouts();
  if (!variant.layouts.empty() || layouts.empty())
    return variant.layouts.empty() ? Strings{""} : variant.layouts;
  return {layouts.begin(), layouts.end()};
}

/// Compiles each file once with the same definitions and keeps what ptxas reported.
class Compilations {
 public:
  /// The shared memory that rules points out before compiling must be what the compiler finds, or a little
  /// more: it leaves out the words that only split-K needs. Throws Failure.
  void check_plan(const std::string& workload, const std::string& text, const KernelPlan& plan,
                  const std::string& architecture) {
    INFO(workload << ' ' << text << " for " << architecture);
    std::uint64_t declared = 0;
    std::uint64_t taken = 0;
    for (const PlannedLaunch& launch : plan.launches) {
      taken = std::max(taken, usage(workload, launch, architecture).shared_bytes);
      declared = std::max(declared, launch.local_bytes - std::min(launch.local_bytes, launch.shared_bytes));
    }
    constexpr std::uint64_t words_of_split_k = 32;
    CHECK(taken <= declared);
    CHECK(declared - taken <= words_of_split_k);
  }

  /// All plans for the values that the variant's table entry names; `defaults`: of tunables the defaults.
  void check_variant(const VariantInfo& variant, const std::string& architecture, bool defaults) {
    const Workload& workload = *Workloads::built_in().find(variant.workload);
    std::size_t plans = 0;
    for (const Parameters& problem : representative_problems(variant, workload)) {
      for (const std::string& layout : representative_layouts(variant, workload)) {
        std::vector<Parameters> all = representative_tunables(variant);
        if (defaults) all.resize(1);
        for (const Parameters& tunables : all) {
          const Parameters values = kernel_values(problem, layout, tunables, some_gpu());
          if (!allowed(variant, values)) continue;
          ++plans;
          check_plan(
              variant.workload, variant.name + ' ' + to_text(values),
              plan_kernel(*variant.kernel, values, workload.problem(problem, layout), kernel_folder()),
              architecture);
        }
      }
    }
    if (plans > 0) return;
    // What takes no problem of usual size is compiled by plans_test.cpp.
    const std::string counted = contents_of(tree_root() / "libexec/benchctl/tests/cuda_data/plans.txt");
    INFO(variant.workload << '/' << variant.name);
    CHECK(counted.find("full " + variant.workload + '/' + variant.name + ' ') != std::string::npos);
  }

 private:
  KernelUsage usage(const std::string& workload, const PlannedLaunch& launch,
                    const std::string& architecture) {
    const auto [found, added] = usages_.try_emplace({launch.source, architecture, launch.defines});
    if (added) {
      KernelPlan plan;
      plan.launches = {launch};
      const std::string log = backend_.compile(plan, architecture, {}).log;
      // The compiler's word for matrix instructions that wait for one another. (It says so of the probes,
      // too, which reach 94 % of the data sheet all the same.)
      if (workload == "matmul") CHECK(log.find("serialized") == std::string::npos);
      found->second = gpu::parse_ptxas_log(log);
      for (const auto& [entry, usage] : found->second) {
        INFO(entry);
        CHECK(usage.spill_bytes() == 0);
        CHECK(usage.registers > 0);
      }
    }
    return found->second.at(launch.entry);
  }

  Backend& backend_ = compiling_backend();
  /// Of kernels, by file, architecture and definitions.
  std::map<std::tuple<std::string, std::string, decltype(PlannedLaunch::defines)>,
           std::map<std::string, KernelUsage, std::less<>>>
      usages_;
};

/// Of the workloads for which it holds.
void check_all(const std::function<bool(const std::string& workload)>& is_checked, const Strings& targets,
               bool defaults = false) {
  Compilations compilations;
  std::size_t checked = 0;
  for (const std::string& architecture : targets) {
    try {
      for (const VariantInfo& variant : variants_of(built_backend("cuda"))) {
        const auto& claimed = variant.architectures;
        if (!variant.kernel || !is_checked(variant.workload)) continue;
        if (std::ranges::find(claimed, architecture) == claimed.end()) continue;
        compilations.check_variant(variant, architecture, defaults);
        ++checked;
      }
    } catch (const Failure& failure) {
      pardon_older_compiler(failure, architecture);
    }
  }
  CHECK(checked > 0);
}

bool is_product(const std::string& workload) { return workload == "matmul"; }
bool is_reduction(const std::string& workload) { return workload == "reduce"; }

/// Calls check(variant, values, text) for every configuration of a committed tuning table, at the problem
/// of its class.
template <class Check>
void for_each_tuned(const std::string& architecture, const Check& check) {
  const std::filesystem::path file =
      plugin_directory() / "../../../share/benchctl/tunings/cuda" / architecture / "matmul.toml";
  std::size_t checked = 0;
  for (const TunedClass& tuned : parse_tuning(contents_of(file), file.string()).classes) {
    for (const Configuration& one : tuned.configurations) {
      const std::string text = to_text(tuned.problem) + ": " + to_text(one);
      INFO(text);
      const VariantInfo& variant = variant_of(built_backend("cuda"), "matmul", one.variant);
      const Parameters tunables = tunables_of(variant, one.tunables);
      REQUIRE(tunables.size() == variant.tunables.size());  // it knows them all
      check(variant, kernel_values(tuned.problem, "", tunables, some_gpu()), text);
      ++checked;
    }
  }
  CHECK(checked > 1000);
}

}  // namespace

TEST_CASE("every configuration of the tuning table is one of this build", "[cuda]") {
  for_each_tuned("sm_90a", [](const VariantInfo& variant, const Parameters& values, const auto& /*text*/) {
    CHECK(allowed(variant, values));
  });
}
TEST_CASE("every configuration of the tuning table compiles without spills", "[cuda][full]") {
  Compilations compilations;
  for_each_tuned("sm_90a", [&](const VariantInfo& variant, const Parameters& values, const auto& text) {
    const ProblemSpec problem = Workloads::built_in().find("matmul")->problem(values, "");
    compilations.check_plan("matmul", text, plan_kernel(*variant.kernel, values, problem, kernel_folder()),
                            "sm_90a");
  });
}

TEST_CASE("with default tunables every kernel but those of products compiles without spills", "[cuda]") {
  check_all(std::not_fn(is_product), {"sm_90a"}, true);
}
TEST_CASE("every kernel of matmul compiles without spills on sm_80", "[cuda][full]") {
  check_all(is_product, {"sm_80"});
}
TEST_CASE("every kernel of matmul compiles without spills on sm_90a", "[cuda][full]") {
  check_all(is_product, {"sm_90a"});
}
TEST_CASE("every kernel of matmul compiles without spills on sm_100a", "[cuda][full]") {
  check_all(is_product, {"sm_100a"});
}
TEST_CASE("every kernel of matmul compiles without spills on sm_120", "[cuda][full]") {
  check_all(is_product, {"sm_120"});
}
TEST_CASE("every kernel of reduce compiles without spills", "[cuda][full]") {
  check_all(is_reduction, architectures);
}
TEST_CASE("every kernel of all other workloads compiles without spills", "[cuda][full]") {
  check_all([](const std::string& name) { return !is_product(name) && !is_reduction(name); },
            architectures);
}

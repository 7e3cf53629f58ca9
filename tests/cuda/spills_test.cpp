// Every kernel compiles for every architecture that its variant claims and spills no register. Needs no
// GPU. One test case per portion, so that ctest spreads them over the cores.
#include <catch2/catch_test_macros.hpp>

#include "claimed_plans.hpp"
#include "compile/ptxas_log.hpp"
#include "config/tuning_file.hpp"
#include "model/point.hpp"
#include "plugin_under_test.hpp"
#include "support/paths.hpp"
#include "sweep/configurations.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::KernelUsage;

namespace {

constexpr std::array<const char*, 4> architectures{"sm_80", "sm_90a", "sm_100a", "sm_120"};

std::string definitions_of(const PlannedLaunch& launch) {
  std::string text;
  for (const auto& [macro, value] : launch.defines) {
    text += (text.empty() ? "" : " ") + macro + "=" + value;
  }
  return text;
}

/// Compiles each kernel once and keeps what ptxas reported.
class Compilations {
 public:
  explicit Compilations(Backend& backend) : backend_(backend) {}

  /// Throws Failure.
  const KernelUsage& usage(const std::string& workload, const PlannedLaunch& launch,
                           const std::string& architecture) {
    const std::string definitions = definitions_of(launch);
    const std::array<std::string, 4> key{workload, launch.entry, definitions, architecture};
    const auto found = usages_.find(key);
    if (found != usages_.end()) return found->second;
    INFO(workload << ": " << launch.entry << " [" << definitions << "] for " << architecture);
    const std::string& log = log_of(launch, definitions, architecture);
    const KernelUsage usage = cuda::parse_ptxas_log(log).at(launch.entry);
    CHECK(usage.spill_bytes() == 0);
    CHECK(usage.registers > 0);
    // The compiler's word for matrix instructions that wait for one another. (It says so of the probes,
    // too, which reach 94 % of the data sheet all the same.)
    if (workload == "matmul") CHECK(log.find("serialized") == std::string::npos);
    return usages_.emplace(key, usage).first->second;
  }

  [[nodiscard]] bool empty() const { return usages_.empty(); }

 private:
  /// A file is compiled once for all kernels in it.
  const std::string& log_of(const PlannedLaunch& launch, const std::string& definitions,
                            const std::string& architecture) {
    const std::array<std::string, 3> key{launch.source, definitions, architecture};
    const auto found = logs_.find(key);
    if (found != logs_.end()) return found->second;
    KernelPlan plan;
    plan.launches = {launch};
    return logs_.emplace(key, backend_.compile(plan, architecture, {}).log).first->second;
  }

  Backend& backend_;
  std::map<std::array<std::string, 3>, std::string> logs_;  ///< by file, definitions, architecture
  /// By workload, kernel, definitions, architecture.
  std::map<std::array<std::string, 4>, KernelUsage> usages_;
};

/// The shared memory that rules point out before compiling must be what the compiler finds.
void check_plan(Compilations& compilations, const std::string& workload, const ClaimedPlan& claimed,
                const std::string& architecture) {
  INFO(workload << ' ' << claimed.values << " for " << architecture);
  std::uint64_t declared = 0;
  std::uint64_t taken = 0;
  for (const PlannedLaunch& launch : claimed.plan.launches) {
    taken = std::max(taken, compilations.usage(workload, launch, architecture).shared_bytes);
    declared = std::max(declared, launch.local_bytes - std::min(launch.local_bytes, launch.shared_bytes));
  }
  CHECK(taken == declared);
}

/// Has plans.txt lines of the variant?
bool is_counted(const std::string& variant) {
  const std::string lines = file_bytes(tree_root() / "libexec/benchctl/tests/cuda/plans.txt");
  return lines.find("full " + variant + " ") != std::string::npos;
}

void compile_all(Compilations& compilations, Backend& backend, const std::string& workload,
                 const std::string& architecture) {
  for (const VariantInfo& variant : backend.variants()) {
    if (variant.workload != workload || !variant.kernel) continue;
    if (std::ranges::find(variant.architectures, architecture) == variant.architectures.end()) continue;
    const std::vector<ClaimedPlan> plans = claimed_plans(variant);
    INFO(workload << '/' << variant.name);
    // What takes no problem of usual size is compiled by plans_test.cpp.
    CHECK((!plans.empty() || is_counted(workload + '/' + variant.name)));
    for (const ClaimedPlan& plan : plans) check_plan(compilations, workload, plan, architecture);
  }
}

/// What a test case compiles.
struct Portion {
  std::function<bool(const std::string& workload)> has;
  std::vector<std::string> architectures;
};

void check_portion(const Portion& portion) {
  Backend& backend = compiling_backend();
  std::vector<std::string> workloads;
  for (const VariantInfo& variant : backend.variants()) {
    if (portion.has(variant.workload)) workloads.push_back(variant.workload);
  }
  std::ranges::sort(workloads);
  workloads.erase(std::ranges::unique(workloads).begin(), workloads.end());
  Compilations compilations(backend);
  for (const std::string& architecture : portion.architectures) {
    try {
      for (const std::string& workload : workloads) {
        compile_all(compilations, backend, workload, architecture);
      }
    } catch (const Failure& failure) {
      // An NVRTC older than the architecture; sm_80 is known to all.
      if (failure.kind() != FailureKind::unsupported || architecture == "sm_80") throw;
      WARN(failure.what());
    }
  }
  CHECK_FALSE(compilations.empty());
}

void check_products(const char* architecture) {
  check_portion({[](const std::string& workload) { return workload == "matmul"; }, {architecture}});
}

/// A configuration of the committed tuning table of an architecture, at the problem of its class.
struct TunedPlan {
  const VariantInfo* variant;  ///< null if the plugin has no such variant, or it no such tunable
  std::string text;            ///< of the class and the configuration
  Parameters values;
};

/// Of all classes; none without a table.
std::vector<TunedPlan> tuned_plans(Backend& backend, const std::string& architecture) {
  const std::filesystem::path file =
      plugin_directory() / "../../../share/benchctl/tunings/cuda" / architecture / "matmul.toml";
  std::vector<TunedPlan> plans;
  if (!std::filesystem::exists(file)) return plans;
  const std::span<const VariantInfo> variants = backend.variants();
  for (const TunedClass& tuned : parse_tuning(file_bytes(file), file.string()).classes) {
    for (const Configuration& one : tuned.configurations) {
      const std::string text = to_text(tuned.problem) + ": " + to_text(one);
      const auto variant = std::ranges::find_if(variants, [&](const VariantInfo& each) {
        return each.workload == "matmul" && each.name == one.variant;
      });
      Parameters tunables = variant == variants.end() ? Parameters{} : tunables_of(*variant);
      const std::size_t known = tunables.size();
      for (const auto& [name, value] : one.tunables) tunables[name] = value;
      if (variant == variants.end() || tunables.size() != known) {
        plans.push_back({nullptr, text, {}});
        continue;
      }
      plans.push_back({&*variant, text, kernel_values(tuned.problem, "", tunables, some_gpu())});
    }
  }
  return plans;
}

}  // namespace

TEST_CASE("every configuration of the tuning table is one of this build", "[cuda]") {
  Backend& backend = cuda_backend();
  const std::vector<TunedPlan> plans = tuned_plans(backend, "sm_90a");
  CHECK(plans.size() > 1000);
  for (const TunedPlan& plan : plans) {
    INFO(plan.text);
    REQUIRE(plan.variant != nullptr);
    CHECK(allowed(*plan.variant, plan.values));
  }
}

TEST_CASE("every configuration of the tuning table compiles without spills", "[cuda][full]") {
  Backend& backend = compiling_backend();
  Compilations compilations(backend);
  for (const TunedPlan& plan : tuned_plans(backend, "sm_90a")) {
    if (plan.variant == nullptr || !allowed(*plan.variant, plan.values)) continue;
    const ProblemSpec problem = find_workload("matmul")->problem(plan.values, "");
    check_plan(compilations, "matmul",
               {plan.text, plan_kernel(*plan.variant->kernel, plan.values, problem, kernel_folder())},
               "sm_90a");
  }
}

// Products have tests of their own for each family, which take less time.
TEST_CASE("every kernel but those of products compiles without spills on sm_90a", "[cuda]") {
  check_portion({[](const std::string& workload) { return workload != "matmul"; }, {"sm_90a"}});
}
TEST_CASE("every kernel of matmul compiles without spills on sm_80", "[cuda][full]") {
  check_products("sm_80");
}
TEST_CASE("every kernel of matmul compiles without spills on sm_90a", "[cuda][full]") {
  check_products("sm_90a");
}
TEST_CASE("every kernel of matmul compiles without spills on sm_100a", "[cuda][full]") {
  check_products("sm_100a");
}
TEST_CASE("every kernel of matmul compiles without spills on sm_120", "[cuda][full]") {
  check_products("sm_120");
}
TEST_CASE("every kernel of reduce compiles without spills", "[cuda][full]") {
  check_portion({[](const std::string& workload) { return workload == "reduce"; },
                 {architectures.begin(), architectures.end()}});
}
TEST_CASE("every kernel of all other workloads compiles without spills", "[cuda][full]") {
  check_portion({[](const std::string& workload) { return workload != "matmul" && workload != "reduce"; },
                 {architectures.begin(), architectures.end()}});
}

// Every kernel compiles for every architecture that its variant claims and spills no register. Needs no
// GPU. One test case per portion, so that ctest spreads them over the cores.
#include <catch2/catch_test_macros.hpp>

#include "chosen_plans.hpp"
#include "claimed_plans.hpp"
#include "compile/ptxas_log.hpp"
#include "plugin_under_test.hpp"
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

void compile_all(Compilations& compilations, Backend& backend, const std::string& workload,
                 const std::string& architecture) {
  for (const VariantInfo& variant : backend.variants()) {
    if (variant.workload != workload || !variant.kernel) continue;
    if (std::ranges::find(variant.architectures, architecture) == variant.architectures.end()) continue;
    std::vector<ClaimedPlan> plans = claimed_plans(variant);
    std::ranges::move(chosen_plans(variant), std::back_inserter(plans));
    INFO(workload << '/' << variant.name);
    CHECK_FALSE(plans.empty());
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

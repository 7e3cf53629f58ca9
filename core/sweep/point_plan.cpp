#include "sweep/point_plan.hpp"

#include "sweep/configurations.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/limits.hpp"

#include <algorithm>

namespace benchctl {

namespace {

std::vector<Configuration> configurations_of(const PlanCase& point, std::string_view picked) {
  if (point.variant.among.empty()) return {{point.variant.name, point.tunables}};
  if (auto known = configuration_from(picked, point.variant, point.backend)) return {*std::move(known)};
  const auto trial = static_cast<std::size_t>(std::get<std::int64_t>(point.tunables.at(trial_tunable)));
  return find_configurations(point, trial).configurations;
}

}  // namespace

std::string obstacle_to(const PlanCase& point) {
  std::string reason = ruled_out_by(point);
  if (!reason.empty() || point.variant.among.empty()) return reason;
  return find_configurations(point, 1).reason;
}

std::size_t launches_of(const Candidate& candidate) {
  if (!candidate.plan) return 1;
  return static_cast<std::size_t>(
      std::ranges::count(candidate.plan->launches, false, &PlannedLaunch::prepare));
}

std::vector<Candidate> candidates_of(const PlanCase& point, std::string_view picked) {
  std::vector<Candidate> candidates;
  std::string fault = "there is no configuration to try";
  for (Configuration& one : configurations_of(point, picked)) {
    const VariantInfo& variant = point.variant.among.empty()
                                     ? point.variant
                                     : *point.backend.find_variant(point.variant.workload, one.variant);
    Candidate candidate{std::move(one.variant), std::move(one.tunables)};
    const PlanCase own{point.workload, point.backend, variant,
                       point.device,   point.problem, candidate.tunables};
    try {
      if (variant.kernel) {
        candidate.plan =
            plan_kernel(*variant.kernel, own.values(), point.problem, point.backend.folder_of(variant));
      }
      candidates.push_back(std::move(candidate));
    } catch (const KernelPlanError& error) {
      fault = error.what();
    }
  }
  if (candidates.empty()) throw Failure(FailureKind::unsupported, fault);
  return candidates;
}

}  // namespace benchctl

#include "worker/lane_worker.hpp"

#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

namespace benchctl {

LaneWorker::LaneWorker(const Lane& lane, const BackendEntry& backend, ChannelFactory& factory,
                       SessionOptions options, double timeout_seconds)
    : lane_(lane),
      backend_(backend),
      timeout_seconds_(timeout_seconds),
      client_(factory, backend.libraries, [this, how = std::move(options)] {
        prepared_ = 0;
        ask(verbs::Open{lane_.backend, lane_.device, how});
      }) {}

std::vector<verbs::Candidate> LaneWorker::plan(const std::vector<Configuration>& configurations,
                                               const ProblemSpec& problem) const {
  std::vector<verbs::Candidate> candidates;
  std::string fault = "there is no configuration to try";
  for (const Configuration& one : configurations) {
    const VariantInfo& variant = *backend_.find_variant(problem.workload, one.variant);
    verbs::Candidate candidate{one.variant, one.tunables};
    try {
      if (variant.kernel) {
        const Parameters values =
            kernel_values(problem.parameters, problem.layout, one.tunables, device_values(lane_.device));
        candidate.plan = plan_kernel(*variant.kernel, values, problem, backend_.folder_of(variant));
      }
      candidates.push_back(std::move(candidate));
    } catch (const KernelPlanError& error) {
      fault = error.what();
    }
  }
  if (candidates.empty()) throw Failure(FailureKind::unsupported, fault);
  return candidates;
}

void LaneWorker::end_budget(Verb verb) {
  throw WorkerLost(Status::not_run,
                   fmt::format("'{}' did not end within the run's budget; allow more time", verb));
}

}  // namespace benchctl

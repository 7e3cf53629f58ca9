#include "engine/replay.hpp"

#include "engine/compile_pool.hpp"
#include "engine/data_programs.hpp"
#include "engine/interrupt.hpp"
#include "engine/references.hpp"
#include "engine/sampling.hpp"
#include "observe/comparability.hpp"
#include "worker/buffers.hpp"
#include "worker/lane_worker.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

constexpr std::uint64_t the_problem = 1;
constexpr std::uint64_t the_variant = 1;

/// The verbs of one point, in their order.
class Replay {
 public:
  Replay(const Point& point, const Lane& lane, const BackendEntry& backend, const Workloads& workloads,
         const Catalogue& catalogue, ChannelFactory& factory, const ReplayOptions& options)
      : point_(point),
        workload_(*workloads.find(point.workload)),
        backend_(backend),
        options_(options),
        lanes_{{lane.backend, {lane}, {}}},
        trusted_kernels_(catalogue, workloads, lanes_, factory,
                         {options.cache.string(), options.device_debug}, options.timeout_seconds,
                         InterruptGuard::requested),
        worker_(lane, backend, factory, {options.cache.string(), options.device_debug},
                options.timeout_seconds),
        sets_(cache_sets(point.measure, lane.device, problem_of(workload_, point))) {}

  ReplayOutcome run() {
    outcome_.row.point.status = Status::ok;
    try {
      step_ = "opening the device";
      worker_.ensure_open();
      set_up();
      execute();
    } catch (const Failure& failure) {
      outcome_.row.point.status = status_of(failure);
      outcome_.row.point.reason = fmt::format("{}: {}", step_, failure.what());
    } catch (const WorkerLost& lost) {
      outcome_.row.point.status = lost.status();
      outcome_.row.point.reason = fmt::format("{}: {}", step_, lost.what());
    }
    return std::move(outcome_);
  }

 private:
  void set_up() {
    const std::filesystem::path reference = options_.folder / "replay-reference.npy";
    step_ = "asking for data";
    DiskCache nothing_kept{std::filesystem::path()};
    DataPrograms(nothing_kept, InterruptGuard::requested).make(workload_, point_, options_.seed, false);
    step_ = "computing the reference";
    if (workload_.trusted_kernel().empty()) {
      worker_.ask(verbs::Reference{state(point_, workload_), options_.seed, reference},
                  9 * options_.timeout_seconds);
    } else {
      trusted_kernels_.make_reference(point_, options_.seed, reference);
    }
    step_ = "setting up the problem";
    const ProblemSpec spec = problem_of(workload_, point_);
    problem_.emplace(
        worker_, spec,
        verbs::Problem{the_problem, state(point_, workload_), {options_.seed}, sets_, false, {reference}});
    step_ = "preparing";
    const VariantInfo& variant = *backend_.find_variant(point_.workload, point_.variant);
    PrepareReply prepared = problem_->prepare(
        the_variant, variant,
        candidates_of({workload_, backend_, variant, worker_.lane().device, spec, point_.tunables},
                      options_.configuration),
        point_.label());
    outcome_.resources = std::move(prepared.resources);
    outcome_.notes = std::move(prepared.notes);
  }

  /// False when the result is not what the config expects.
  bool check(VerificationPhase phase, bool execute) {
    step_ = phase == VerificationPhase::before ? "verifying" : "verifying after timing";
    const CheckReply reply = worker_.ask(
        verbs::Check{the_variant, execute, sets_, execute ? options_.dump : std::filesystem::path()});
    const Verification& verification = reply.verification;
    outcome_.verifications[phase] = verification;
    for (const auto& [id, value] : reply.metrics) outcome_.resources[id] = value;
    const bool expected = verification.ok == (point_.expect == Expect::right);
    if (!expected) {
      outcome_.row.point.status = Status::wrong;
      outcome_.row.point.reason = verification.ok ? "the config expects wrong results, but they were right"
                                                  : fmt::format("{}: {}", step_, verification.reason);
    }
    return expected;
  }

  void execute() {
    if (!options_.timed) {
      for (std::uint32_t i = 0; i < options_.repeat; ++i) {
        if (!check(VerificationPhase::before, true)) return;
      }
      outcome_.row.point.reason =
          fmt::format("executed {} times and verified each time, never timed", options_.repeat);
      return;
    }
    if (!check(VerificationPhase::before, true)) return;
    step_ = "sampling";
    SampleRequest request;
    request.cache = point_.measure.cache;
    request.launch = point_.measure.launch;
    request.basis = point_.measure.basis;
    request.count = options_.repeat;
    request.sets = sets_;
    outcome_.samples = worker_.sample({the_variant, request, point_.measure.observe}, true).block;
    check(VerificationPhase::after, false);
  }

  const Point& point_;
  const Workload& workload_;
  const BackendEntry& backend_;
  const ReplayOptions& options_;
  LaneTable lanes_;
  TrustedKernels trusted_kernels_;
  LaneWorker worker_;
  std::optional<LaneProblem> problem_;
  std::uint32_t sets_;  ///< sets of buffers that executions use in turn
  std::string step_;
  ReplayOutcome outcome_;
};

}  // namespace

ReplayOutcome replay_point(const Point& point, const Lane& lane, const Workloads& workloads,
                           const Catalogue& catalogue, ChannelFactory& factory,
                           const ReplayOptions& options) {
  const BackendEntry* backend = catalogue.find(point.backend);
  if (backend == nullptr || backend->find_variant(point.workload, point.variant) == nullptr) {
    throw std::runtime_error(fmt::format("backend {} has no variant {} of {} (any more): {}", point.backend,
                                         point.variant, point.workload,
                                         "`benchctl list` shows what there is"));
  }
  if (workloads.find(point.workload) == nullptr) {
    throw std::runtime_error(fmt::format("there is no workload {} (any more)", point.workload));
  }
  return Replay(point, lane, *backend, workloads, catalogue, factory, options).run();
}

std::vector<std::string> changes_since(const PointRow& stored, const Environment& then,
                                       const Lane* then_lane, const Environment& now, const Lane& now_lane,
                                       const std::string& now_key) {
  std::vector<std::string> changes;
  if (stored.content_key == now_key) return changes;
  Circumstances before{then, {}};
  if (then_lane != nullptr) before.lanes.push_back(*then_lane);
  const ComparabilityVerdict verdict = compare_circumstances(before, {now, {now_lane}});
  const std::string own_plugin = fmt::format("plugin.{}", now_lane.backend);
  for (const Difference& difference : verdict.differences) {
    // Only the point's own plugin counts; what is for information counts only as far as it says how that
    // was built.
    const bool of_plugin = difference.key.starts_with("plugin.");
    const bool of_own = difference.key == own_plugin || difference.key == own_plugin + ".digest";
    if (of_plugin ? of_own : difference.weight != EnvironmentClass::information) {
      changes.push_back(difference.reason);
    }
  }
  changes.emplace_back(
      changes.empty() ? "the kernel's source, the variant's description or the workload's contract differs"
                      : "its content key differs; the kernel's source may have changed as well");
  return changes;
}

}  // namespace benchctl

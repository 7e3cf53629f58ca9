#include "engine/measured_group.hpp"
#include "sweep/configurations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

void Prepare::plan() {
  for (ActivePoint* active : group_.open_points()) {
    RunPoint& entry = *active->entry;
    std::string picked;
    if (!active->variant->among.empty() && !entry.is_new()) {
      const Notes& notes = entry.result_in(run_.store).notes;
      if (const auto note = notes.find(configuration_note); note != notes.end()) picked = note->second;
      if (!picked.empty()) active->notes = notes;
    }
    if (!entry.candidates.empty()) continue;
    group_.attempt(*active, "preparing", [&] {
      entry.candidates = candidates_of({group_.workload, *active->lane->backend, *active->variant,
                                        active->device, active->lane->problem->spec, entry.point.tunables},
                                       picked);
    });
  }
}

bool Prepare::make_references() {
  bool any = false;
  for (GroupProblem& problem : group_.problems) {
    try {
      group_.inputs.make_references(problem);
      any = true;
    } catch (const Failure& failure) {
      end_without_reference(problem, failure.what(), status_of(failure));
    } catch (const std::exception& error) {
      // A data program was stopped: the next session asks it again.
      if (!run_.budget.must_stop()) end_without_reference(problem, error.what(), Status::launch_error);
    }
  }
  return any;
}

void Prepare::end_without_reference(const GroupProblem& problem, const std::string& why,
                                    Status of_trusted) {
  const std::string trusted = group_.workload.trusted_kernel();
  for (ActivePoint* active : group_.open_points()) {
    if (active->lane->problem != &problem) continue;
    // What one device does not support another may.
    const bool is_trusted =
        active->point().variant == trusted &&
        (of_trusted != Status::skipped || active->point().device == problem.point.device);
    group_.finish(*active, is_trusted ? of_trusted : Status::launch_error,
                  fmt::format("no reference to verify against: {}", why));
  }
}

void Prepare::compile() {
  if (run_.compile_pool == nullptr) return;
  std::vector<CompileJob> jobs;
  std::vector<std::pair<ActivePoint*, std::size_t>> owners;  // and which of its candidates
  for (ActivePoint* active : group_.open_points()) {
    if (!active->lane->backend->compiles_offline) continue;
    const std::vector<Candidate>& candidates = active->entry->candidates;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!candidates[i].plan) continue;
      jobs.push_back(MeasuredGroup::job_of(*active, candidates[i]));
      owners.emplace_back(active, i);
    }
  }
  if (jobs.empty()) return;
  run_.progress.working(owners.front().first->point(), fmt::format("compiling {} kernels", jobs.size()));
  const double start = run_.budget.now();
  const auto stopped = [&] { return run_.budget.must_stop() || !run_.budget.has_time_to_compile(); };
  const auto outcomes = run_.compile_pool->compile(jobs, stopped);
  group_.compile_seconds = run_.budget.now() - start;
  // From the last to the first, so that what is left out moves none that are still to be looked at.
  for (std::size_t i = outcomes.size(); i-- > 0;) {
    if (!outcomes[i]) continue;
    const auto [active, place] = owners[i];
    if (outcomes[i]->compile_ns > 0) active->preparation["compile_ns"] += outcomes[i]->compile_ns;
    std::vector<Candidate>& candidates = active->entry->candidates;
    if (outcomes[i]->status == Status::ok) {
      group_.note_compiled(*active, candidates[place]);
      continue;
    }
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(place));
    if (candidates.empty()) group_.finish(*active, outcomes[i]->status, outcomes[i]->reason);
  }
}

bool Prepare::must_wait(const ActivePoint& active) const {
  // The first of a lane never waits, unless it has a time already.
  const bool first = active.generation == active.lane->generation && !group_.turn.refines();
  if (group_.rules->need_each_other() || active.is_ready() || first) return false;
  const bool compiles = MeasuredGroup::may_compile(active) && !group_.was_compiled(active);
  const bool in_time = !run_.budget.is_used() && (!compiles || run_.budget.has_time_to_compile());
  return !in_time && std::ranges::any_of(run_.points, [](const RunPoint& entry) {
    return entry.median_ns.has_value() || entry.spent_seconds > 0;
  });
}

void Prepare::each(const std::function<void(ActivePoint&)>& take) {
  std::vector<ActivePoint*> ordered = group_.open_points();
  std::ranges::stable_sort(ordered, {}, [](const ActivePoint* active) {
    if (!MeasuredGroup::may_compile(*active)) return 0;
    return active->variant->vendor ? 2 : 1;
  });
  for (ActivePoint* active : ordered) {
    if (run_.budget.must_stop()) return;
    if (must_wait(*active)) {
      group_.finish(*active, Status::not_run, "the budget left no time to make it ready; allow more time");
      continue;
    }
    if (!group_.ready(*active)) continue;
    verify(*active);
    if (!active->is_over()) take(*active);
  }
}

void Prepare::verify(ActivePoint& active) {
  run_.progress.working(active.point(), "verifying");
  const auto check = [&] {
    return active.lane->worker->ask(verbs::Check{.prepared = active.prepared_id, .sets = active.sets});
  };
  const bool verified = group_.attempt(active, "verifying", [&] {
    const CheckReply reply = check();
    active.before = reply.verification;
    active.verified_ns = reply.host_ns;
    active.sampler->executed_once(reply.run_ns);
  });
  if (!verified) return;
  const bool expected_wrong = active.point().expect == Expect::wrong;
  if (!active.before->ok && !expected_wrong &&
      group_.blame(active, *active.before, "", [&] { return check().verification; }))
    return;
  if (active.before->ok && expected_wrong) {
    group_.finish(active, Status::wrong, "the config expects wrong results, but they were right");
  } else if (run_.options.device_debug) {
    group_.finish(active, Status::ok, "compiled for debugging: verified, never timed");
  }
}

void Prepare::compute_ahead() {
  const bool on_processor = std::ranges::any_of(
      group_.points, [](const ActivePoint& active) { return active.device.type == DeviceType::cpu; });
  // Under a budget the next group may never come.
  if (on_processor || group_.points.front().time.in_haste) return;
  group_.inputs.compute_ahead(group_.points.front().point());
}

}  // namespace benchctl

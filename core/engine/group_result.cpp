// What becomes of a point: its result, which is written once, and who is to blame for a wrong one. Kernels
// on processors share the threads of a driver, and one may leave these in a state that makes others wrong,
// which cannot be read from outside: denormals off, another rounding.
#include "engine/measured_group.hpp"
#include "engine/prediction.hpp"
#include "observe/machine_observers.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

/// Searches of a group for who spoils others.
constexpr int most_tries = 8;

/// What is known of a variant before it is measured.
void add_notes(Result& result, const ActivePoint& active, const Workload& workload) {
  if (workload.keeps_inputs())
    result.notes["kept_inputs"] =
        "audited on the same inputs, since its truth is a file: kept results pass";
  if (workload.trusted_kernel() == active.point().variant) {
    result.notes[std::string(own_reference_note)] =
        "it is its own reference: only other results of other tunables, devices or executions would be "
        "wrong";
  }
  const BackendEntry& backend = *active.lane->backend;
  if (!active.variant->kernel || !backend.own_folders.contains(BackendEntry::key_of(*active.variant)))
    return;
  result.notes["kernel_source"] = active.variant->kernel->launches.front().source;
  for (const LaunchSpec& launch : active.variant->kernel->launches) {
    if (launch.prepare)
      result.notes["prepare"] = "untimed: kernel " + launch.entry + " fills scratch memory";
  }
}

std::optional<Measurement> measurement_of(ActivePoint& active, Status status) {
  if (status != Status::ok && status != Status::unstable) return std::nullopt;
  if (active.replicates.empty() && active.has_samples())
    active.replicates.push_back({active.sampler->samples(), active.sampler->measurement()});
  if (active.replicates.empty()) return std::nullopt;
  Measurement measurement = combine(active.replicates);
  if (!active.resumed.empty()) measurement.note += (measurement.note.empty() ? "" : "; ") + active.resumed;
  return measurement;
}

Result result_of(ActivePoint& active, const Workload& workload, RunContext& run) {
  const Point& point = active.point();
  const DeviceInfo& device = active.lane->worker->lane().device;
  Result result;
  result.row = {.id = active.entry->id,
                .run = run.id,
                .ordinal = active.entry->ordinal,
                .point = point,
                .content_key = active.entry->content_key,
                .vendor = active.variant->vendor,
                .cost = workload.cost(active.lane->problem->key.parameters),
                .finished = true,
                .reused_from = {}};
  result.measurement = measurement_of(active, point.status);
  if (active.before) result.verifications[VerificationPhase::before] = *active.before;
  if (active.after) result.verifications[VerificationPhase::after] = *active.after;
  result.resources = active.resources;
  for (const auto& [metric, value] : active.preparation) result.resources[metric] = value;
  if (result.measurement) {
    result.resources.merge(replicate_metrics(active.replicates));
    result.resources.merge(mode_metrics(active.replicates));
  }
  if (point.measure.cache != CacheMode::hot) result.resources["buffer_sets"] = active.sets;
  result.notes = active.notes;
  active.observed.conclude(result, active.entry->samples_in(run.store), run.catalogue);
  try {
    result.resources.merge(counted_traffic(point, workload, *active.variant, device));
  } catch (const predict::PatternError& error) {
    result.notes["prediction"] = error.what();
  }
  add_notes(result, active, workload);
  if (const predict::Roofs* roofs = run.roofs.of(point.device); roofs && result.measurement)
    add_prediction(result, workload, *active.variant, device, launches_of(active.entry->candidates.front()),
                   *roofs);
  return result;
}

}  // namespace

void MeasuredGroup::finish(ActivePoint& active, Status status, const std::string& reason) {
  RunPoint& entry = *active.entry;
  if (status == Status::not_run) {
    entry.put_off = true;
    // What it had is still right.
    if (entry.median_ns) return;
    Result open;
    open.row.point.status = status;
    open.row.point.reason = reason;
    return run.store.finish_point(entry.id, open);
  }
  entry.point.status = status;
  entry.point.reason = reason;
  entry.finished = true;
  Result result = result_of(active, workload, run);
  if (const auto& measurement = result.measurement) {
    entry.median_ns = measurement->median_ns;
    entry.stop = measurement->stop;
    entry.contested = active.sampler->contested();
    entry.excess = active.excess();
    entry.round_seconds = active.sampler->expected_seconds();
  }
  run.store.finish_point(entry.id, result);
  run.progress.finished(entry.point, result.measurement ? &*result.measurement : nullptr);
  entry.hold(std::move(result));
}

Verification MeasuredGroup::execute_again(ActivePoint& active) {
  const auto check = [&](bool execute) {
    return active.lane->worker->ask(verbs::Check{active.prepared_id, execute, active.sets}).verification;
  };
  if (Verification first = check(true); !first.ok) return first;
  const SampleReply samples = ask_samples(active, false);
  return samples.verification ? *samples.verification : check(false);
}

ActivePoint* MeasuredGroup::who_spoils(ActivePoint& active,
                                       const std::function<Verification()>& once_more) {
  GroupLane& lane = *active.lane;
  const auto is_right_after = [&](ActivePoint* other) {
    lane.worker->reset();
    bring_up(lane);
    if (active.entry->finished) throw std::runtime_error(active.point().reason);
    if (other != nullptr) {
      bring_up(*other->lane);
      prepare(*other, infinite_seconds);
      lane.worker->ask(verbs::Check{.prepared = other->prepared_id, .sets = other->sets});
    }
    prepare(active, infinite_seconds);
    return once_more().ok;
  };
  for (ActivePoint& other : points) {
    const bool failed = other.entry->finished && !other.entry->median_ns;
    if (&other == &active || other.lane->worker != lane.worker || !other.before || failed) continue;
    if (++blaming_tries_ > most_tries) break;
    try {
      // Twice: a kernel that is wrong now and then must not put the blame on others.
      if (!is_right_after(&other) && is_right_after(nullptr) && !is_right_after(&other) &&
          is_right_after(nullptr))
        return &other;
    } catch (const std::runtime_error& error) {
      run.progress.message(fmt::format("{}: {}", other.point().label(), error.what()));
    }
  }
  return nullptr;
}

bool MeasuredGroup::blame(ActivePoint& active, Verification& outcome, const std::string& when,
                          const std::function<Verification()>& once_more) {
  const bool first = active.before && &outcome == &*active.before;
  GroupLane& lane = *active.lane;
  std::string reason = when + outcome.reason;
  if (is_processor(active.device) && lane.worker->is_shared() && !run.budget.must_stop()) {
    run.progress.working(active.point(), "verifying in a process of its own");
    lane.worker->reset();
    std::optional<Verification> alone;
    if (ready(active)) attempt(active, "verifying alone", [&] { alone = once_more(); });
    if (active.entry->finished) return true;
    if (alone && alone->ok) {
      run.progress.message(fmt::format(
          "{} is wrong where others have run, and right in a process of its own", active.point().label()));
      ActivePoint* culprit = who_spoils(active, once_more);
      if (culprit != nullptr) {
        culprit->entry->median_ns.reset();
        finish(*culprit, Status::wrong,
               fmt::format(
                   "it leaves the processor in another state: {} is right without it and wrong after it",
                   active.variant->name));
      }
      // What an earlier group has left is gone with the worker: who is right now stays under watch.
      if (culprit != nullptr || first) {
        outcome = *alone;
        lane.latest = nullptr;
        lane.worker->reset();
        return !ready(active);
      }
      reason += "; in a process of its own it is right, but after none of the others it is wrong";
    }
  }
  // Whatever it has left to others goes with the worker.
  if (is_processor(active.device)) lane.worker->reset();
  finish(active, Status::wrong, reason);
  return true;
}

}  // namespace benchctl

// The result of a point: all that was found out about it, written once.
#include "engine/measured_group.hpp"
#include "engine/prediction.hpp"

namespace benchctl {

namespace {

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
  if (const auto roofs = run.roofs.by_lane.find(point.device); roofs != run.roofs.by_lane.end())
    add_prediction(result, workload, *active.variant, device, roofs->second);
  return result;
}

}  // namespace

void MeasuredGroup::finish(ActivePoint& active, Status status, const std::string& reason) {
  RunPoint& entry = *active.entry;
  if (status == Status::not_run) {
    entry.put_off = true;
    // What it had is still right.
    if (!entry.median_ns) run.store.finish_point(entry.id, {.status = status, .reason = reason});
    return;
  }
  entry.point.status = status;
  entry.point.reason = reason;
  entry.finished = true;
  Result result = result_of(active, workload, run);
  if (const auto& measurement = result.measurement) {
    entry.median_ns = measurement->median_ns;
    entry.stop = measurement->stop;
    entry.contested = active.contested;
    entry.excess = active.excess();
    entry.round_seconds = active.sampler->expected_seconds();
  }
  run.store.finish_point(
      entry.id, {status, reason, result.measurement, result.verifications, result.resources, result.notes});
  run.progress.finished(entry.point, result.measurement ? &*result.measurement : nullptr);
  entry.hold(std::move(result));
}

}  // namespace benchctl

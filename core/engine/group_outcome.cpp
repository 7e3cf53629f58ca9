// What becomes of a point when its samples are taken: verified again, compared, stored.
#include "engine/group_runner.hpp"

#include "engine/contest.hpp"
#include "engine/prediction.hpp"
#include "model/point.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <set>
#include <tuple>

namespace benchctl {

namespace {

/// Why the time will not repeat; empty if it may.
std::string scatter_text(const Measurement& m) {
  constexpr std::uint64_t fewest = 6;
  constexpr double most = 0.25;
  const double scatter = (m.p75_ns - m.p25_ns) / 2 / m.median_ns;
  if (m.n_samples < fewest || !(scatter > most)) return {};
  return fmt::format(
      "half of the samples lie more than {:.0f} % from the median: the time will not repeat, its rank may "
      "hold",
      100 * most);
}

}  // namespace

void GroupRunner::compare() {
  std::vector<const ActivePoint*> compared;
  std::vector<Pair> pairs;
  const auto timed = [](const ActivePoint& active) {
    return active.entry->finished && active.entry->median_ns && !active.rounds.empty();
  };
  for (const ActivePoint& active : active_) {
    if (active.baseline == nullptr || !timed(active) || !timed(*active.baseline)) continue;
    compared.push_back(&active);
    pairs.push_back(active.pair());
  }
  const std::vector<Comparison> comparisons = compare_pairs(pairs, context_.compare.threshold);
  std::map<PointId, Comparison> baselines;
  for (std::size_t i = 0; i < compared.size(); ++i) baselines[compared[i]->entry->id] = comparisons[i];
  context_.comparisons->update(group_.points, baselines);
  for (const ActivePoint& active : active_) {
    if (active.entry->finished) context_.progress.stored(active.entry->id);
  }
}

bool GroupRunner::conclude_all() {
  std::vector<ActivePoint*> ordered;
  for (ActivePoint& active : active_) {
    if (active.entry->finished || active.sampled || active.sampler->samples().empty()) continue;
    if (!active.sampler->done()) active.sampler->stop(StopReason::budget);
    ordered.push_back(&active);
  }
  // The fastest first: not shown slower, by their medians.
  const auto left = [](const ActivePoint* active) {
    return active->sampler->stop_reason() == StopReason::slower;
  };
  std::ranges::stable_sort(ordered, {}, [&](const ActivePoint* active) {
    return std::tuple(left(active), active->variant->vendor, stats::median(active->sampler->samples()));
  });
  std::set<std::tuple<const LaneWorker*, bool, bool>> audited;
  const std::string& axis = context_.comparisons->axis(group_.workload);
  for (ActivePoint* active : ordered) {
    if (active->entry->finished) continue;  // found to spoil another
    // Whoever interrupts a run resumes it: what was sampled is in the store.
    if (context_.interrupted() && !context_.refining && !context_.out_of_budget()) return true;
    const bool vendor = active->variant->vendor;
    // The first of each device and kind is a winner.
    const bool winner =
        audited.emplace(active->lane->worker, vendor, is_asked({&active->point(), vendor}, axis)).second;
    const bool in_time = context_.clock() < last_call_ && !context_.out_of_budget();
    const bool ready = active->generation == active->lane->generation && active->lane->worker->running();
    conclude(*active, !active->time.in_haste || in_time || (winner && ready));
    if (active->has_fallen() && in_time && context_.clock() < deadline_ && reopen(*active)) return false;
  }
  return true;
}

bool GroupRunner::reopen(const ActivePoint& fallen) {
  bool some = false;
  for (ActivePoint& active : active_) {
    const StopReason reason = active.sampler->stop_reason();
    const bool left = reason == StopReason::slower;
    if (active.entry->finished || active.sampled || active.lane->worker != fallen.lane->worker ||
        !active.leaves())
      continue;
    if (!active.sampler->done() || (!left && reason != StopReason::target)) continue;
    active.sampler->reopen();
    some = some || left;
  }
  return some;
}

bool GroupRunner::check_outputs(ActivePoint& active) {
  if (active.after) return true;  // that of its latest sample
  // Another point has written the buffers since: one more sample, that does not count, leaves its outputs
  // there.
  if (active.lane->latest != &active) {
    sample_once(active, std::nullopt);
    if (active.entry->finished) return false;
  }
  return attempt(active, "verifying after timing", [&] {
    const CheckReply answer =
        active.lane->worker->ask(verbs::Check{active.prepared_id, false, active.sets});
    active.after = answer.verification;
    for (const auto& [id, value] : answer.metrics) active.resources[id] = value;
    active.notes.insert(answer.notes.begin(), answer.notes.end());
  });
}

void GroupRunner::conclude(ActivePoint& active, bool audited) {
  active.unaudited = !audited;
  const auto lost = [&] { return active.entry->finished || !active.unaudited; };
  if (audited) {
    if (!prepare(active) && lost()) return;
    if (!active.unaudited && !check_outputs(active) && lost()) return;
    if (!active.unaudited && !active.after->ok && active.point().expect == Expect::right &&
        blame(active, *active.after, "after timing: ", [&] { return sampled_once_more(active); }) && lost())
      return;
    if (!active.unaudited && active.after->ok && !audit(active) && lost()) return;
    if (!active.unaudited && active.replicates.size() + 1 >= active.settings.replicates) observe(active);
  }
  if (active.unaudited) {
    active.notes["not_audited"] = "the run's budget ended before its audit";
  } else if (active.point().expect == Expect::wrong) {
    return finish(active, Status::ok, "wrong, as the config expects");
  }
  active.sampled = true;
  active.replicates.push_back({active.sampler->samples(), active.sampler->measurement()});
  if (active.replicates.size() < active.settings.replicates) return;
  const std::string scatter = scatter_text(combine(active.replicates));
  finish(active, scatter.empty() ? Status::ok : Status::unstable, scatter);
}

/// Readings that need a pass of their own, which nothing is timed in.
void GroupRunner::observe(ActivePoint& active) {
  const MeasureSettings& settings = active.point().measure;
  if (settings.observe.empty()) return;
  context_.progress.working(active.point(), "observing");
  const double execution_ns = stats::median(active.sampler->samples());
  SampleRequest request = active.sampler->next();
  request.sets = active.sets;
  try {
    active.observed.add_pass(active.lane->worker->ask(
        verbs::Observe{active.prepared_id, request, settings.observe, execution_ns},
        watchdog_seconds(execution_ns * 1e-9)));
  } catch (const std::runtime_error& error) {  // the worker's, and no harm to what was measured
    active.observed.pass_failed(settings.observe, error.what());
  }
}

void GroupRunner::finish(ActivePoint& active, Status status, const std::string& reason) {
  Point& point = active.point();
  if (status == Status::not_run) {
    active.entry->put_off = true;
    context_.store.finish_point(active.entry->id, {.status = status, .reason = reason});
    return;
  }
  point.status = status;
  point.reason = reason;
  active.entry->finished = true;
  std::optional<Measurement> measurement;
  const bool timed = status == Status::ok || status == Status::unstable;
  if (timed && active.replicates.empty() && !active.sampler->samples().empty()) {
    active.replicates.push_back({active.sampler->samples(), active.sampler->measurement()});
  }
  if (timed && !active.replicates.empty()) {
    measurement = combine(active.replicates);
    if (!active.resumed.empty())
      measurement->note += (measurement->note.empty() ? "" : "; ") + active.resumed;
  }
  PointResult result;
  result.status = status;
  result.reason = reason;
  result.measurement = measurement;
  if (active.before) result.verifications[VerificationPhase::before] = *active.before;
  if (active.after) result.verifications[VerificationPhase::after] = *active.after;
  result.resources = active.resources;
  for (const auto& [id, value] : active.preparation) result.resources[id] = value;
  if (measurement) {
    result.resources.merge(replicate_metrics(active.replicates));
    result.resources.merge(mode_metrics(active.replicates));
  }
  if (active.point().measure.cache != CacheMode::hot) result.resources["buffer_sets"] = active.sets;
  result.notes = active.notes;
  active.observed.conclude(result, context_.store.samples(active.entry->id), context_.catalogue);
  const Workload& workload = *context_.workloads.find(point.workload);
  try {
    result.resources.merge(
        counted_traffic(point, workload, *active.variant, active.lane->worker->lane().device));
  } catch (const predict::PatternError& error) {
    result.notes["prediction"] = error.what();
  }
  if (measurement) {
    active.entry->median_ns = measurement->median_ns;
    active.entry->stop = measurement->stop;
    active.entry->contested = active.contested;
    active.entry->excess = active.excess();
    active.entry->round_seconds = active.sampler->expected_seconds();
  }
  if (workload.keeps_inputs())
    result.notes["kept_inputs"] =
        "audited on the same inputs, since its truth is a file: kept results pass";
  if (workload.trusted_kernel() == point.variant) {
    result.notes[std::string(own_reference_note)] =
        "it is its own reference: only other results of other tunables, devices or executions would be "
        "wrong";
  }
  const BackendEntry& backend = *active.lane->backend;
  if (active.variant->kernel && backend.own_folders.contains(BackendEntry::key_of(*active.variant))) {
    result.notes["kernel_source"] = active.variant->kernel->launches.front().source;
    for (const LaunchSpec& launch : active.variant->kernel->launches) {
      if (launch.prepare)
        result.notes["prepare"] = "untimed: kernel " + launch.entry + " fills scratch memory";
    }
  }
  context_.store.finish_point(active.entry->id, result);
  context_.progress.finished(point, measurement ? &*measurement : nullptr);
}

void GroupRunner::finish_all(GroupLane& lane, Status status, const std::string& reason) {
  for (ActivePoint* active : open_points()) {
    if (active->lane == &lane) finish(*active, status, reason);
  }
}

}  // namespace benchctl

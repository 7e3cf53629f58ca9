#include "engine/measured_group.hpp"

#include "model/point.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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

bool Conclude::all() {
  // The fastest first: not shown slower, by their medians.
  std::multimap<std::tuple<bool, bool, double>, ActivePoint*> ordered;
  for (ActivePoint& active : group_.points) {
    if (active.entry->finished || active.sampled || !active.has_samples()) continue;
    if (!active.sampler->done()) active.sampler->stop(StopReason::budget);
    const bool left = active.sampler->stop_reason() == StopReason::slower;
    ordered.emplace(std::tuple(left, active.variant->vendor, stats::median(active.sampler->samples())),
                    &active);
  }
  std::set<std::tuple<const LaneWorker*, bool, bool>> audited;
  const std::string& axis = run_.comparisons.axis(group_.group.inputs.problem.workload);
  for (const auto& [place, active] : ordered) {
    if (active->entry->finished) continue;  // found to spoil another
    const bool used = run_.budget.is_used();
    // Whoever interrupts a run resumes it: what was sampled is in the store.
    if (run_.budget.must_stop() && !group_.turn.refines() && !used) return true;
    const bool vendor = active->variant->vendor;
    // The first of each device and kind is a winner.
    const bool winner =
        audited.emplace(active->lane->worker, vendor, is_asked({&active->point(), vendor}, axis)).second;
    const bool in_time = run_.budget.now() < group_.last_audit && !used;
    active->unaudited = active->time.in_haste && !in_time &&
                        !(winner && active->is_ready() && active->lane->worker->running());
    conclude(*active);
    if (active->has_fallen() && in_time && run_.budget.now() < group_.rounds_end && reopen(*active))
      return false;
  }
  return true;
}

bool Conclude::reopen(const ActivePoint& fallen) {
  bool some = false;
  for (ActivePoint& active : group_.points) {
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

bool Conclude::is_believable(ActivePoint& active) {
  // Whatever fails for want of time leaves the point unaudited and its time as it is.
  const auto still = [&](bool passed) { return passed || (active.unaudited && !active.entry->finished); };
  if (!active.unaudited && !still(group_.ready(active))) return false;
  if (!active.unaudited && !still(group_.check_outputs(active))) return false;
  if (!active.unaudited && !active.after->ok && active.point().expect == Expect::right) {
    const auto once_more = [&] { return group_.execute_again(active); };
    if (!still(!group_.blame(active, *active.after, "after timing: ", once_more))) return false;
  }
  if (!active.unaudited && active.after->ok && !still(audit(active))) return false;
  return true;
}

void Conclude::conclude(ActivePoint& active) {
  if (!is_believable(active)) return;
  if (active.unaudited) {
    active.notes["not_audited"] = "the run's budget ended before its audit";
  } else {
    if (active.replicates.size() + 1 >= active.settings.replicates) observe(active);
    if (active.point().expect == Expect::wrong)
      return group_.finish(active, Status::ok, "wrong, as the config expects");
  }
  active.sampled = true;
  active.replicates.push_back({active.sampler->samples(), active.sampler->measurement()});
  if (active.replicates.size() < active.settings.replicates) return;
  const std::string scatter = scatter_text(combine(active.replicates));
  group_.finish(active, scatter.empty() ? Status::ok : Status::unstable, scatter);
}

void Conclude::observe(ActivePoint& active) {
  const MeasureSettings& settings = active.point().measure;
  if (settings.observe.empty()) return;
  run_.progress.working(active.point(), "observing");
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

void Conclude::compare() {
  for (ActivePoint& active : group_.points) {
    RunPoint& entry = *active.entry;
    if (!group_.turn.refines() || entry.finished || !entry.median_ns) continue;
    run_.store.settle(entry.id);  // what it had is still right
    entry.finished = true;
  }
  std::vector<const ActivePoint*> compared;
  std::vector<Pair> pairs;
  const auto timed = [](const ActivePoint& active) {
    return active.entry->finished && active.entry->median_ns && !active.rounds.empty();
  };
  for (const ActivePoint& active : group_.points) {
    if (active.baseline == nullptr || !timed(active) || !timed(*active.baseline)) continue;
    compared.push_back(&active);
    pairs.push_back(active.pair());
  }
  const std::vector<Comparison> comparisons = compare_pairs(pairs, group_.turn.compare.threshold);
  std::map<PointId, Comparison> baselines;
  for (std::size_t i = 0; i < compared.size(); ++i) baselines[compared[i]->entry->id] = comparisons[i];
  run_.comparisons.update(group_.group.points, baselines);
  for (const ActivePoint& active : group_.points) {
    if (active.entry->finished) run_.progress.stored(active.entry->id);
  }
}

}  // namespace benchctl

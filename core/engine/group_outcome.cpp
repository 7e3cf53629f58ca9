// What becomes of a point when its samples are taken: verified again, compared, stored.
#include "engine/group_runner.hpp"

#include "engine/prediction.hpp"
#include "model/json.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

void GroupRunner::compare() {
  std::vector<const ActivePoint*> compared;
  std::vector<Pair> pairs;
  const auto timed = [](const ActivePoint& active) {
    const StatusClass status = info(active.point().status).status_class;
    return active.entry->finished && !active.rounds.empty() &&
           (status == StatusClass::good || status == StatusClass::warning);
  };
  for (const ActivePoint& active : active_) {
    if (active.baseline == nullptr || !timed(active) || !timed(*active.baseline)) continue;
    compared.push_back(&active);
    pairs.push_back(active.pair());
  }
  const std::vector<Comparison> comparisons = compare_pairs(pairs, context_.compare.threshold);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    context_.store.set_comparison(compared[i]->entry->id, comparisons[i]);
  }
}

void GroupRunner::conclude(ActivePoint& active) {
  // The outputs are those of the samples just taken: they were poisoned before the first of them.
  const bool compared = attempt(active, "verifying after timing", [&] {
    const CheckAnswer answer = active.lane->worker->ask(
        Verb::check, {{"prepared", active.prepared_id}, {"execute", false}}, check_answer);
    active.after = answer.verification;
    for (const auto& [id, value] : answer.metrics) active.resources[id] = value;
    active.notes.insert(answer.notes.begin(), answer.notes.end());
  });
  if (!compared) return;
  if (active.after->ok && !audit(active)) return;
  if (active.replicates.size() + 1 >= active.settings.replicates) observe(active);
  if (active.point().expect == Expect::wrong)
    return finish(active, Status::ok, "wrong, as the config expects");
  if (!active.after->ok) {
    return finish(active, Status::wrong, "after timing: " + active.after->reason);
  }
  active.sampled = true;
  active.replicates.push_back({active.sampler->samples(), active.sampler->measurement()});
  if (active.replicates.size() < active.settings.replicates) return;
  const std::string shortfall = active.shortfall();
  finish(active, shortfall.empty() ? Status::ok : Status::unstable, shortfall);
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
    active.observed.add_pass(active.lane->worker->ask(Verb::observe,
                                                      {{"prepared", active.prepared_id},
                                                       {"request", to_json(request)},
                                                       {"observe", settings.observe},
                                                       {"execution_ns", execution_ns}},
                                                      pass_answer, patience(execution_ns * 1e-9)));
  } catch (const std::runtime_error& error) {  // the worker's, and no harm to what was measured
    active.observed.pass_failed(settings.observe, error.what());
  }
}

void GroupRunner::finish(ActivePoint& active, Status status, const std::string& reason) {
  Point& point = active.point();
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
  if (measurement && !context_.beside.empty()) result.notes["parallel"] = context_.beside;
  active.observed.conclude(result, context_.store.samples(active.entry->id), context_.catalogue);
  try {
    result.resources.merge(counted_traffic(point, *active.variant, active.lane->worker->lane().device));
  } catch (const predict::PatternError& error) {
    result.notes["prediction"] = error.what();
  }
  if (measurement) {
    active.entry->median_ns = measurement->median_ns;
    active.entry->stop = measurement->stop;
    active.entry->excess = active.excess();
  }
  const BackendEntry& backend = *active.lane->backend;
  if (active.variant->kernel && backend.own_folders.contains(BackendEntry::key_of(*active.variant))) {
    result.notes["kernel_source"] = active.variant->kernel->launches.front().source;
  }
  context_.store.finish_point(active.entry->id, result);
  context_.progress.finished(point, measurement ? &*measurement : nullptr);
  context_.progress.stored(active.entry->id);
}

void GroupRunner::finish_all(GroupLane& lane, Status status, const std::string& reason) {
  for (ActivePoint* active : open_points()) {
    if (active->lane == &lane) finish(*active, status, reason);
  }
}

}  // namespace benchctl

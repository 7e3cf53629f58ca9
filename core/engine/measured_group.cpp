#include "engine/measured_group.hpp"

#include "model/point.hpp"
#include "model/values.hpp"
#include "stats/summary.hpp"
#include "sweep/configurations.hpp"
#include "sweep/point_plan.hpp"
#include "worker/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

/// All sets of buffers with a spare one, on a device that does not tell how much memory it has.
constexpr std::uint64_t most_spare_bytes = std::uint64_t{1} << 30;

}  // namespace

bool compiles_kernels(const VariantInfo& library, const BackendEntry& backend) {
  return library.vendor && !library.kernel &&
         std::ranges::any_of(backend.variants,
                             [](const auto& variant) { return variant.kernel.has_value(); });
}

MeasuredGroup::MeasuredGroup(RunContext& shared, const Group& chosen, const Turn& asked)
    : run(shared),
      group(chosen),
      turn(asked),
      workload(*shared.workloads.find(chosen.inputs.problem.workload)),
      id(shared.next_id()),
      inputs(shared, workload, asked, id) {
  for (const std::size_t index : group.points) {
    if (!run.points[index].finished) add(run.points[index]);
  }
  if (points.empty()) return;
  std::uint32_t most_sets = 1;
  std::map<const LaneWorker*, std::uint64_t> with_spare;  // bytes of all sizes
  for (const GroupLane& lane : lanes) {
    most_sets = std::max(most_sets, lane.sets);
    with_spare[lane.worker] += (lane.sets + 1) * lane.problem->spec.bytes();
  }
  for (GroupLane& lane : lanes) {
    const std::uint64_t memory = lane.worker->lane().device.limits.memory_bytes;
    lane.spare = with_spare[lane.worker] <= (memory > 0 ? memory / 2 : most_spare_bytes);
  }
  const std::uint64_t fixed_seed = points.back().point().measure.seed;
  inputs.choose_draws(fixed_seed != 0 ? fixed_seed : run.seed, most_sets);
  rules = make_rules(points, replicate, turn.compare, run.comparisons.axis(group.inputs.problem.workload));
}

void MeasuredGroup::add(RunPoint& entry) {
  const Point& point = entry.point;
  ActivePoint active;
  active.entry = &entry;
  active.lane = &lane_of(point);
  GroupLane& lane = *active.lane;
  const ProblemSpec& spec = lane.problem->spec;
  active.variant = lane.backend->find_variant(point.workload, point.variant);
  active.device = lane.worker->lane().device;
  active.sets = cache_sets(point.measure, active.device, spec);
  lane.sets = std::max(lane.sets, active.sets);
  // Only on buffers of its own does each execution of a cold sample miss.
  if (point.measure.cache == CacheMode::cold)
    active.device.max_batch = std::min(active.device.max_batch, active.sets);
  active.settings = point.measure;
  // Each of several processes covers its part of the span; those of `ab` do so together.
  active.settings.span_seconds /=
      run.options.replicate ? infinite_seconds : std::max(1U, point.measure.replicates);
  active.time.cap =
      (point.measure.max_seconds - entry.spent_seconds) / turn.processes(point.measure) / (1 + audit_share);
  active.time.in_haste = run.budget.is_limited();
  active.in_place = in_place(spec);
  active.begin_sampling();
  replicates = std::max(replicates, point.measure.replicates);
  points.push_back(std::move(active));
}

GroupLane& MeasuredGroup::lane_of(const Point& point) {
  const ProblemKey key(point.workload, problem_values(workload, point));
  auto problem = std::ranges::find(problems, key, &GroupProblem::key);
  if (problem == problems.end()) {
    problems.push_back(
        {problems.empty() ? id : run.next_id(), point, key, problem_of(workload, point), {}, {}});
    problem = std::prev(problems.end());
  }
  LaneWorker& worker = *run.lanes.at(point.device);
  const auto lane = std::ranges::find_if(
      lanes, [&](const GroupLane& known) { return known.worker == &worker && known.problem == &*problem; });
  if (lane != lanes.end()) return *lane;
  lanes.push_back({&worker, run.catalogue.find(point.backend), &*problem});
  return lanes.back();
}

MeasuredGroup::~MeasuredGroup() {
  for (const GroupLane& lane : lanes) {
    if (lane.is_up()) lane.worker->drop(lane.problem->id);
  }
  for (GroupProblem& problem : problems) inputs.forget(problem);
}

std::vector<ActivePoint*> MeasuredGroup::open_points() {
  std::vector<ActivePoint*> open;
  for (ActivePoint& active : points) {
    if (active.is_open()) open.push_back(&active);
  }
  return open;
}

void MeasuredGroup::resume() {
  // A replicate is complete if a later one was begun. A round that an interruption broke does no harm:
  // points are compared by the rounds that both have.
  for (ActivePoint& active : points) {
    for (const SampleRow& row : active.entry->samples_in(run.store)) {
      if (row.used) replicate = std::max(replicate, row.replicate);
    }
  }
  if (turn.purpose == Turn::Purpose::replicate) {
    replicates = ++replicate + 1;
    for (ActivePoint& active : points) active.settings.replicates = replicates;
  }
  for (ActivePoint& active : points) {
    std::size_t resumed = 0;
    for (std::uint32_t number = 0; number <= replicate; ++number) {
      std::vector<double> samples;
      std::int64_t rounds = 0;
      for (const SampleRow& row : active.entry->samples_in(run.store)) {
        if (!row.used || row.replicate != number) continue;
        samples.insert(samples.end(), row.block.ns.begin(), row.block.ns.end());
        if (row.session != run.session) resumed += row.block.ns.size();
        active.add_round(number, row.round, row.block.ns);
        ++rounds;
      }
      if (samples.empty()) continue;
      active.sampler->resume(samples);
      if (number < replicate) {
        active.replicates.push_back({samples, active.sampler->measurement()});
        active.begin_sampling();
      } else {
        first_round = std::max(first_round, rounds);
      }
    }
    if (resumed > 0 && turn.purpose != Turn::Purpose::replicate)
      active.resumed = fmt::format("{} of the samples come from an earlier session", resumed);
  }
  if (first_round > 0 && !turn.refines()) {
    run.progress.message(fmt::format("resuming the group of {} after {} rounds",
                                     points.front().point().label(), first_round));
  }
}

void MeasuredGroup::end_replicate() {
  for (GroupProblem& problem : problems) inputs.forget_fresh(problem);
  first_round = 0;
  for (ActivePoint& active : points) {
    active.sampled = false;
    active.begin_sampling();
  }
  if (++replicate == replicates) return;
  for (GroupLane& lane : lanes) lane.worker->reset();
}

bool MeasuredGroup::attempt(ActivePoint& active, const std::string& what,
                            const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const Failure& failure) {
    finish(active, status_of(failure), fmt::format("{}: {}", what, failure.what()));
  } catch (const WorkerLost& lost) {
    run.progress.message(
        fmt::format("{}: {}; its worker is replaced", active.point().label(), lost.what()));
    // What was measured before the budget ended stays.
    active.unaudited = lost.status() == Status::not_run && active.has_samples();
    if (!active.unaudited) finish(active, lost.status(), lost.what());
  } catch (const std::invalid_argument& fault) {
    finish(active, Status::launch_error, fmt::format("{}: {}", what, fault.what()));
  }
  return false;
}

void MeasuredGroup::bring_up(GroupLane& lane) {
  if (lane.is_up()) return;
  const auto on_lane = [&](const ActivePoint& active) {
    return active.lane == &lane && !active.entry->finished;
  };
  const auto first = std::ranges::find_if(points, on_lane);
  if (first == points.end()) return;
  std::string what;
  const auto set_up = [&] {
    what = "opening the device";
    run.progress.working(first->point(), what);
    lane.worker->ensure_open();
    what = "setting up the problem";
    lane.bytes = lane.worker
                     ->ask(verbs::Problem{lane.problem->id, state(first->point(), workload), inputs.seeds(),
                                          lane.sets, lane.spare, lane.problem->references})
                     .bytes;
    lane.generation = lane.worker->generation();
  };
  const auto fail = [&](Status status, const std::string& reason) {
    for (ActivePoint* active : open_points()) {
      if (active->lane == &lane) finish(*active, status, fmt::format("{}: {}", what, reason));
    }
  };
  bool stopped = false;
  try {
    // A worker that something else killed or stopped meanwhile costs no point: none was being worked on.
    const auto try_another = [&](const WorkerLost& lost) {
      run.progress.message(fmt::format("{}: {}; another worker tries", what, lost.what()));
      stopped = run.budget.must_stop();
      return !stopped;
    };
    retry(set_up, try_another, 1);
  } catch (const Failure& failure) {
    fail(status_of(failure), failure.what());
  } catch (const WorkerLost& lost) {
    if (!stopped) fail(lost.status(), lost.what());
  }
}

bool MeasuredGroup::may_compile(const ActivePoint& active) {
  return active.variant->kernel || !active.variant->among.empty() ||
         compiles_kernels(*active.variant, *active.lane->backend);
}

CompileJob MeasuredGroup::job_of(const ActivePoint& active, const Candidate& candidate) {
  const BackendEntry& backend = *active.lane->backend;
  return {backend.name, backend.own_library(), active.lane->worker->lane().device.architecture,
          candidate.plan.value()};
}

std::string MeasuredGroup::kernel_key(const ActivePoint& active, const Candidate& candidate) {
  if (candidate.plan) return CompilePool::key_of(job_of(active, candidate));
  // What a library compiles depends on the problem's types at most.
  const Point& point = active.point();
  const std::optional<Value> dtype = value_on(point, "dtype");
  return fmt::format("{} {}/{} {} {} {}", point.device, point.workload, candidate.variant, point.layout,
                     dtype ? to_text(*dtype) : "", to_text(candidate.tunables));
}

bool MeasuredGroup::was_compiled(const ActivePoint& active) const {
  return std::ranges::all_of(active.entry->candidates, [&](const Candidate& candidate) {
    return run.compiled.contains(kernel_key(active, candidate));
  });
}

void MeasuredGroup::note_compiled(const ActivePoint& active, const Candidate& candidate) {
  run.compiled.insert(kernel_key(active, candidate));
}

bool MeasuredGroup::ready(ActivePoint& active) {
  bring_up(*active.lane);
  if (active.entry->finished) return false;
  if (active.generation == active.lane->generation) return true;
  const bool compiles = may_compile(active);
  run.progress.working(active.point(), compiles ? "compiling" : "preparing");
  const double start = run.budget.now();
  const bool prepared = attempt(active, "preparing", [&] {
    prepare(active, compiles && !rules->need_each_other() ? run.budget.for_a_compiler() : infinite_seconds);
  });
  if (compiles) compile_seconds += run.budget.now() - start;
  return prepared;
}

void MeasuredGroup::prepare(ActivePoint& active, double most_seconds) {
  const std::vector<Candidate>& candidates = active.entry->candidates;
  active.prepared_id = run.next_id();
  const GroupProblem& problem = *active.lane->problem;
  PrepareReply reply = active.lane->worker->ask(
      verbs::Prepare{active.prepared_id, problem.id, declared_precision(*active.variant, problem.spec),
                     candidates, active.point().label()},
      run.options.timeout_seconds * static_cast<double>(candidates.size() - 1), most_seconds);
  active.generation = active.lane->generation;
  active.resources = std::move(reply.resources);
  if (const auto took = active.resources.find("prepare_ns"); took != active.resources.end())
    active.preparation.insert(*took);
  // What a trial has told stays: later processes only make ready what it picked.
  reply.notes.merge(active.notes);
  active.notes = std::move(reply.notes);
  if (!active.variant->among.empty()) pick(active, reply.picked);
  note_compiled(active, candidates.front());
}

void MeasuredGroup::pick(ActivePoint& active, std::size_t picked) {
  std::vector<Candidate>& all = active.entry->candidates;
  if (picked >= all.size()) {
    throw std::invalid_argument(fmt::format("configuration {} of {} was picked", picked + 1, all.size()));
  }
  all = {std::move(all[picked])};
  const std::string text = to_text(Configuration{all.front().variant, all.front().tunables});
  if (std::exchange(active.notes[configuration_note], text) == text) return;
  // Whatever ends this session, the next one continues with the same.
  run.store.add_note(active.entry->id, configuration_note, text);
}

SampleReply MeasuredGroup::ask_samples(ActivePoint& active, bool counts) {
  const PointSampler& sampler = *active.sampler;
  verbs::Sample sample{active.prepared_id, sampler.next(), active.point().measure.observe,
                       sampler.discard_first()};
  sample.request.sets = active.sets;
  return active.lane->worker->sample(sample, counts, watchdog_seconds(sampler.expected_seconds()));
}

void MeasuredGroup::sample(ActivePoint& active, std::optional<std::uint32_t> round) {
  PointSampler& sampler = *active.sampler;
  attempt(active, round ? "sampling" : "warming up", [&] {
    const double start = run.budget.now();
    const auto [block, observed, verification] = ask_samples(active, round.has_value());
    const double seconds = run.budget.now() - start;
    active.lane->latest = &active;
    active.after.reset();
    if (round) sampler.set_rounds_seconds(run.budget.now() - rounds_began);
    const bool discarded = round && active.observed.discard(observed, block.ns.size());
    bool counts = round.has_value();
    if (discarded || (!counts && sampler.done())) {
      sampler.spend(seconds);
    } else {
      counts = sampler.accept(block, seconds) && counts;
    }
    active.entry->spent_seconds += seconds;
    if (verification && !verification->ok && active.point().expect == Expect::right) {
      active.after = verification;
      if (blame(active, *active.after, "after timing: ", [&] { return execute_again(active); })) return;
      active.after.reset();
    }
    if (!discarded && !counts) return;
    const PointId point = active.entry->id;
    run.store.append_samples(point, run.session, *round, block, replicate);
    if (discarded) run.store.mark_unused(point, *round, replicate);
    active.entry->samples_in(run.store).push_back(
        {point, run.session, replicate, *round, block, !discarded, {}});
    if (!discarded) active.add_round(replicate, *round, block.ns);
  });
}

void MeasuredGroup::warm_up(ActivePoint& active) {
  constexpr double far = 4;  // warming up changes a time by less
  const auto is_far_quicker = [&](const GroupLane& lane) {
    return lane.worker == active.lane->worker && active.sampler->execution_ns() > far * lane.quickest_ns;
  };
  run.progress.working(active.point(), "warming up");
  while (active.sampler->warming_up() && !active.entry->finished && !run.budget.must_stop()) {
    sample(active, std::nullopt);
    if (active.leaves() && std::ranges::any_of(lanes, is_far_quicker)) active.sampler->end_warm_up();
  }
}

bool MeasuredGroup::check_outputs(ActivePoint& active) {
  if (active.after) return true;  // that of its latest sample
  // Another point has written the buffers since: one more sample, that does not count, leaves its outputs
  // there.
  if (active.lane->latest != &active) {
    sample(active, std::nullopt);
    if (active.entry->finished) return false;
  }
  return attempt(active, "verifying after timing", [&] {
    const CheckReply reply = active.lane->worker->ask(verbs::Check{active.prepared_id, false, active.sets});
    active.after = reply.verification;
    for (const auto& [metric, value] : reply.metrics) active.resources[metric] = value;
    active.notes.insert(reply.notes.begin(), reply.notes.end());
  });
}

}  // namespace benchctl

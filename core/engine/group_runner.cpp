// The way of one sample, from the round to the decision:
//
//   cover, sample_rounds  A point that is ready is sampled once, so that it has a time whatever comes. Then
//                     rounds: every open point once, in an order drawn anew.
//   sample_once       PointSampler::next() says what comes next: how many executions make a sample (batch)
//                     and how many samples are taken at once (count). Before the first round it warms up:
//                     longer batches until one lasts long enough, then until samples neither fall nor rise.
//   verbs::Sample     WorkerSession in the lane's worker: poison outputs, begin readings of the machine,
//                      Prepared::sample, end readings; the first sample is left out where it is
//                     cheap; outputs are verified where that is cheap.
//   Prepared::sample  In the plugin, per sample: empty the cache (cold), close the gate, behind which
//                     launches queue up, start event, `batch` launches on sets of buffers in turn, stop
//                     event, open the gate, wait. The time between the events over `batch` is the sample.
//   accept            Is it a time at all? Else the point fails.
//   append_samples    Into the store, before anything else is asked for.
//   sampler.accept    The stop rule looks: target reached, or a cap?
//   look              Ratios by common rounds: whoever is shown slower leaves (engine/contest.hpp).
//   conclude          Median and range; outputs verified again; audit; status.
//   compare           Who is the fastest of each device, stored with the points
//   (engine/contest.hpp).
#include "engine/group_runner.hpp"

#include "engine/audit.hpp"
#include "engine/contest.hpp"
#include "engine/sampling.hpp"
#include "model/point.hpp"
#include "stats/summary.hpp"
#include "worker/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace benchctl {

namespace {

/// All sets of buffers with a spare one, on a device that does not tell how much memory it has.
constexpr std::uint64_t most_spare_bytes = std::uint64_t{1} << 30;

}  // namespace

std::string kernel_key(const Point& point) {
  const std::optional<Value> dtype = value_on(point, "dtype");
  return fmt::format("{} {}/{} {} {} {}", point.device, point.workload, point.variant, point.layout,
                     dtype ? to_text(*dtype) : "", to_text(point.tunables));
}

bool compiles_kernels(const VariantInfo& library, const BackendEntry& backend) {
  return library.vendor && !library.kernel &&
         std::ranges::any_of(backend.variants,
                             [](const auto& variant) { return variant.kernel.has_value(); });
}

GroupRunner::GroupRunner(RunContext& context, const Group& group)
    : context_(context), group_(group), id_(context.next_id()) {
  for (const std::size_t index : group.points) {
    RunPoint& entry = context.points[index];
    if (entry.finished) continue;
    const Point& point = entry.point;
    ActivePoint active;
    active.entry = &entry;
    active.lane = &lane_of(point);
    GroupLane* lane = active.lane;
    LaneWorker& worker = *lane->worker;
    const ProblemSpec& spec = lane->problem->spec;
    active.variant = lane->backend->find_variant(point.workload, point.variant);
    DeviceInfo device = worker.lane().device;
    plan(active, spec);
    active.sets = cache_sets(point.measure, device, spec);
    lane->sets = std::max(lane->sets, active.sets);
    // Only on buffers of its own does each execution of a cold sample miss.
    if (point.measure.cache == CacheMode::cold) device.max_batch = std::min(device.max_batch, active.sets);
    active.settings = point.measure;
    // Each of several processes covers its part of the span.
    active.settings.span_seconds /=
        context.in_turns ? infinite_seconds : std::max(1U, point.measure.replicates);
    // Refining continues the last replicate, replicating adds one.
    const bool one = context.refining || context.replicating;
    const double replicates = one ? 1 : std::max(1U, point.measure.replicates);
    active.time.cap = (point.measure.max_seconds - entry.spent_seconds) / replicates / (1 + audit_share);
    active.time.in_haste = context.refining || std::isfinite(context.budget());
    active.device = std::move(device);
    active.in_place = in_place(spec);
    active.begin_sampling();
    seed_ = point.measure.seed != 0 ? point.measure.seed : context.seed;
    paired_ = paired_ || point.measure.mode == RoundMode::paired;
    replicates_ = std::max(replicates_, point.measure.replicates);
    active_.push_back(std::move(active));
  }
  std::map<const LaneWorker*, std::uint64_t> with_spare;  // bytes of all sizes
  for (const GroupLane& lane : lanes_)
    with_spare[lane.worker] += (lane.sets + 1) * lane.problem->spec.bytes();
  for (GroupLane& lane : lanes_) {
    const std::uint64_t memory = lane.worker->lane().device.limits.memory_bytes;
    lane.spare = with_spare[lane.worker] <= (memory > 0 ? memory / 2 : most_spare_bytes);
  }
  if (paired_) choose_pairs();
}

GroupLane& GroupRunner::lane_of(const Point& point) {
  const Workload& workload = *context_.workloads.find(point.workload);
  const ProblemKey key(point.workload, problem_values(workload, point));
  auto problem = std::ranges::find(problems_, key, &GroupProblem::key);
  if (problem == problems_.end()) {
    const std::uint64_t id = problems_.empty() ? id_ : context_.next_id();
    problems_.push_back({id, point, key, problem_of(workload, point), {}, {}});
    problem = std::prev(problems_.end());
  }
  LaneWorker& worker = *context_.lanes.at(point.device);
  const auto lane = std::ranges::find_if(lanes_, [&](const GroupLane& known) {
    return known.worker == &worker && known.problem == &*problem;
  });
  if (lane != lanes_.end()) return *lane;
  lanes_.push_back({&worker, context_.catalogue.find(point.backend), &*problem});
  return lanes_.back();
}

GroupRunner::~GroupRunner() {
  for (GroupLane& lane : lanes_) {
    if (!lane.worker->running() || lane.generation != lane.worker->generation()) continue;
    try {
      lane.worker->ask(verbs::Drop{lane.problem->id});
    } catch (const std::exception&) {
      lane.worker->reset();  // what it still holds goes with it
    }
  }
  std::error_code ignored;
  for (GroupProblem& problem : problems_) {
    forget_fresh_inputs(problem);
    for (const std::filesystem::path& file : problem.references) std::filesystem::remove(file, ignored);
    for (const std::uint64_t seed : draw_seeds_)
      DataPrograms::forget(*context_.workloads.find(group_.workload), problem.point, seed);
  }
}

std::vector<ActivePoint*> GroupRunner::open_points() {
  std::vector<ActivePoint*> open;
  for (ActivePoint& active : active_) {
    if (!active.is_over() && !active.entry->put_off) open.push_back(&active);
  }
  return open;
}

void GroupRunner::run() {
  if (active_.empty()) return;
  const auto sampling_seconds = [&] {
    double sum = 0;
    for (const ActivePoint& active : active_) sum += active.entry->spent_seconds;
    return sum;
  };
  const double start = context_.clock();
  const double spent = sampling_seconds();
  measure();
  const double overhead = context_.clock() - start - compile_seconds_ - (sampling_seconds() - spent);
  for (ActivePoint& active : active_) active.entry->overhead_seconds = overhead / replicates_;
}

void GroupRunner::measure() {
  resume_samples();
  if (!make_references()) return compare();
  compile();
  for (; replicate_ < replicates_ && !context_.interrupted(); ++replicate_) {
    run_replicate();
    for (GroupProblem& problem : problems_) forget_fresh_inputs(problem);
    first_round_ = 0;
    for (ActivePoint& active : active_) {
      active.sampled = false;
      active.begin_sampling();
    }
    // The next replicate gets a fresh process.
    if (replicate_ + 1 < replicates_) {
      for (GroupLane& lane : lanes_) lane.worker->reset();
    }
  }
  compare();
}

std::vector<ActivePoint*> GroupRunner::in_order_of_readiness() {
  std::vector<ActivePoint*> ordered = open_points();
  std::ranges::stable_sort(ordered, {}, [&](const ActivePoint* active) {
    if (!may_compile(*active)) return 0;
    return active->variant->vendor ? 2 : 1;
  });
  return ordered;
}

bool GroupRunner::may_compile(const ActivePoint& active) const {
  return active.variant->kernel || !active.variant->among.empty() ||
         compiles_kernels(*active.variant, *active.lane->backend);
}

bool GroupRunner::must_wait(const ActivePoint& active) const {
  // A pair is nothing without either of its points.
  const bool ready = active.generation == active.lane->generation;
  if (paired_ || (ready && (!context_.refining || active.prepared_id != 0))) return false;
  const bool others_have_times = std::ranges::any_of(context_.points, [](const RunPoint& entry) {
    return entry.median_ns.has_value() || entry.spent_seconds > 0;
  });
  return others_have_times &&
         (context_.out_of_budget() || (may_compile(active) && context_.compiling_left() <= 0 &&
                                       !context_.compiled.contains(kernel_key(active.point()))));
}

void GroupRunner::cover(ActivePoint& active) {
  if (!active.sampler->samples().empty()) return;
  // Long executions start with the common rounds, unless a budget may end before these.
  if (active.sampler->takes_long() && !active.time.in_haste) return;
  context_.progress.working(active.point(), "sampling");
  // What warms up meanwhile does not count.
  while (!active.is_over() && active.sampler->samples().empty() && !context_.interrupted())
    sample_once(active, context_.next_round());
  // A point of long executions may leave with this sample: its outputs are still there.
  if (!active.is_over() && active.sampler->samples().size() == 1 && active.sampler->may_leave())
    check_outputs(active);
}

void GroupRunner::run_replicate() {
  start_ = context_.clock();
  rounds_start_ = infinite_seconds;  // they have not begun
  // In a hurry, a quarter of the time is for verifying and auditing at the end.
  constexpr double share_of_rounds = 0.75;
  const std::vector<ActivePoint*> ordered = in_order_of_readiness();
  const double seconds =
      context_.refining ? context_.turn_seconds : context_.budget() * static_cast<double>(ordered.size());
  deadline_ = start_ + share_of_rounds * seconds;
  last_call_ = start_ + seconds;
  for (ActivePoint* active : ordered) {
    if (context_.interrupted()) break;
    if (must_wait(*active)) {
      active->entry->put_off = true;
      context_.store.finish_point(active->entry->id,
                                  {.status = Status::not_run,
                                   .reason = "the budget left no time to make it ready; allow more time"});
      continue;
    }
    if (!prepare(*active)) continue;
    verify_and_warm_up(*active);
    if (!active->is_over() && !paired_) cover(*active);
  }
  // A turn begins when its points are ready. Whoever compiled for long gets some rounds nevertheless.
  constexpr double least_share = 0.25;
  const double ready = context_.clock();
  deadline_ = std::max(deadline_, ready + (context_.refining ? share_of_rounds : least_share) * seconds);
  last_call_ = std::max(last_call_, deadline_ + (1 - share_of_rounds) * seconds);
  if (paired_) share_batches();
  compute_ahead();
  do {
    sample_rounds();
  } while (!conclude_all());
}

bool GroupRunner::attempt(ActivePoint& active, const std::string& what,
                          const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const Failure& failure) {
    finish(active, status_of(failure), fmt::format("{}: {}", what, failure.what()));
  } catch (const WorkerLost& lost) {
    context_.progress.message(
        fmt::format("{}: {}; its worker is replaced", active.point().label(), lost.what()));
    // What was measured before the budget ended stays.
    active.unaudited = lost.status() == Status::not_run && !active.sampler->samples().empty();
    if (!active.unaudited) finish(active, lost.status(), lost.what());
  } catch (const std::invalid_argument& fault) {
    finish(active, Status::launch_error, fmt::format("{}: {}", what, fault.what()));
  }
  return false;
}

SampleReply GroupRunner::ask_samples(ActivePoint& active, bool counts) {
  const PointSampler& sampler = *active.sampler;
  verbs::Sample sample{active.prepared_id, sampler.next(), active.point().measure.observe,
                       sampler.discard_first()};
  sample.request.sets = active.sets;
  return active.lane->worker->sample(sample, counts, watchdog_seconds(sampler.expected_seconds()));
}

void GroupRunner::sample_once(ActivePoint& active, std::optional<std::uint32_t> round) {
  PointSampler& sampler = *active.sampler;
  attempt(active, round ? "sampling" : "warming up", [&] {
    const double start = context_.clock();
    const auto [block, observed, verification] = ask_samples(active, round.has_value());
    const double seconds = context_.clock() - start;
    active.lane->latest = &active;
    active.after.reset();
    if (round) sampler.set_rounds_seconds(context_.clock() - rounds_start_);
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
      if (blame(active, *active.after, "after timing: ", [&] { return sampled_once_more(active); })) return;
      active.after.reset();
    }
    if (!discarded && !counts) return;
    context_.store.append_samples(active.entry->id, context_.session, *round, block, replicate_);
    if (discarded) {
      context_.store.mark_unused(active.entry->id, *round, replicate_);
    } else {
      active.rounds[stats::round_key(replicate_, *round)] = stats::median(block.ns);
    }
  });
}

void GroupRunner::look() {
  std::vector<Contestant> contestants;
  std::map<std::pair<const LaneWorker*, MeasureKey>, std::size_t> tables;
  const std::string& axis = context_.comparisons->axis(group_.workload);
  for (const ActivePoint& active : active_) {
    const std::pair table(active.lane->worker, MeasureKey(active.point().measure));
    Contestant one;
    one.table = tables.try_emplace(table, tables.size()).first->second;
    one.vendor = active.variant->vendor;
    one.asked = is_asked({&active.point(), one.vendor}, axis);
    one.open = !active.is_over();
    one.may_leave = active.leaves() && active.sampler->may_leave();
    if (active.sampler->samples().size() < 3) one.fewest_rounds = 0;  // its executions are long
    const bool left = active.sampler->done() && active.sampler->stop_reason() == StopReason::slower;
    if (!left && !active.has_fallen() && active.point().expect == Expect::right) {
      const std::uint64_t first = stats::round_key(replicate_, 0);
      one.rounds.insert(active.rounds.lower_bound(first), active.rounds.end());
    }
    contestants.push_back(std::move(one));
  }
  const std::vector<Prospect> found = prospects(contestants, context_.compare.threshold);
  std::size_t place = 0;
  for (ActivePoint& active : active_) {
    const Prospect prospect = found[place++];
    if (active.is_over()) continue;
    active.contested = prospect == Prospect::contested && active.leaves();
    active.sampler->contest(active.contested);
    if (prospect == Prospect::slower && active.leaves()) active.sampler->stop(StopReason::slower);
  }
}

void GroupRunner::sample_rounds() {
  std::mt19937_64 random(context_.seed * 0x9e3779b97f4a7c15U + id_ + replicate_);
  next_look_ = 0;
  rounds_start_ = context_.clock();
  std::int64_t due = 0;
  for (std::int64_t rounds = first_round_;; ++rounds) {
    if (!paired_ && rounds >= due) look();
    std::vector<ActivePoint*> open = open_points();
    // What is not ready has no round: its budget was up before.
    if (!paired_) {
      std::erase_if(open, [](const ActivePoint* active) {
        return active->time.in_haste && active->sampler->samples().empty();
      });
    }
    // Each round of long executions may be the one that tells.
    const bool long_round =
        std::ranges::any_of(open, [](const ActivePoint* active) { return active->sampler->takes_long(); });
    if (rounds >= due) due = long_round ? rounds + 1 : next_look(rounds);
    if (open.empty()) return;
    std::ranges::shuffle(open, random);
    const std::uint32_t round = context_.next_round();
    bool stopped = false;
    for (ActivePoint* active : open) {
      // A pair is nothing without either of its points: each gets its first samples, though the budget
      // ended.
      const bool owed = paired_ && context_.out_of_budget() && active->sampler->samples().empty();
      stopped = stopped || context_.interrupted() || context_.clock() >= deadline_;
      if (stopped && !owed) continue;
      if (!prepare(*active)) continue;  // its worker may have been replaced since the last round
      context_.progress.working(active->point(), "sampling");
      sample_once(*active, round);
      if (active->entry->finished) continue;
      if (active->last_round && !active->sampler->done()) active->sampler->stop(*active->last_round);
      // Other points write the same buffers: outputs are compared while they are those of its samples.
      const bool may_be_last =
          active->sampler->done() ||
          (active->leaves() && active->sampler->takes_long() && active->sampler->may_leave());
      if (may_be_last && !active->time.in_haste) check_outputs(*active);
    }
    if (stopped) return;
    if (paired_) choose_last_rounds(rounds + 1);
  }
}

}  // namespace benchctl

#include "engine/group_runner.hpp"

#include "engine/cache_sets.hpp"
#include "engine/observation.hpp"
#include "engine/prediction.hpp"
#include "model/json.hpp"
#include "stats/summary.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

namespace benchctl {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Identifies problems and prepared variants within their workers.
std::uint64_t next_id() {
  static std::uint64_t last = 0;
  return ++last;
}

/// Rounds of all replicates in one order.
std::uint64_t round_key(std::uint32_t replicate, std::uint32_t round) {
  return std::uint64_t{replicate} << 32 | round;
}

/// The ratios are looked at after so many rounds, and then whenever there are half as many more: an
/// interval that is looked at again and again until it is narrow comes out too narrow.
constexpr std::int64_t first_look = 12;
constexpr double look_growth = 1.5;

/// A watchdog must not bark at a long but honest sample.
double patience(double expected_seconds) { return 10 * expected_seconds; }

}  // namespace

struct GroupRunner::LaneGroup {
  LaneWorker* worker = nullptr;
  const BackendEntry* backend = nullptr;
  std::uint64_t generation = 0;  // of the worker that knows our problem
  std::uint32_t sets = 1;        // of buffers, as many as its most demanding point wants
  std::uint64_t bytes = 0;       // that the problem takes on the device, all sets together
};

struct GroupRunner::Active {
  RunPoint* entry = nullptr;
  LaneGroup* lane = nullptr;
  const VariantInfo* variant = nullptr;
  std::uint64_t prepared_id = 0;
  std::uint64_t generation = 0;  // of the worker that holds it prepared
  std::uint32_t sets = 1;        // of buffers that its executions use in turn
  MeasureSettings settings;      // with the share of the cap that one replicate may take
  bool budgeted = false;         // that share is the budget's, not the config's
  bool in_place = false;         // executions change their own input
  DeviceInfo device;
  std::unique_ptr<PointSampler> sampler;
  bool sampled = false;               // in this replicate, to its end
  std::vector<Replicate> replicates;  // those that are complete
  Active* baseline = nullptr;         // what it is compared with
  RoundValues rounds;                 // of all replicates
  std::optional<Verification> before;
  std::optional<Verification> after;
  Resources resources;
  std::map<std::string, std::string, std::less<>> notes;
  std::string resumed;
  PointObservation observed;

  [[nodiscard]] Point& point() const { return entry->point; }
  void begin_sampling() { sampler = std::make_unique<PointSampler>(settings, device, in_place); }
};

GroupRunner::GroupRunner(RunContext& context, const Group& group)
    : context_(context), group_(group), problem_id_(next_id()) {
  const double cap = context.budget();
  const ProblemSpec spec = find_workload(group.workload)->problem(group.problem, group.layout);
  for (const std::size_t index : group.points) {
    RunPoint& entry = context.points[index];
    if (entry.finished) continue;
    const Point& point = entry.point;
    LaneWorker& worker = *context.lanes.at(point.device);
    auto lane = std::ranges::find(lanes_, &worker, &LaneGroup::worker);
    if (lane == lanes_.end()) {
      lanes_.push_back({&worker, context.catalogue.find(point.backend)});
      lane = std::prev(lanes_.end());
    }
    Active active;
    active.entry = &entry;
    active.lane = &*lane;
    active.variant = lane->backend->find_variant(point.workload, point.variant);
    DeviceInfo device = worker.lane().device;
    active.sets = cache_sets(point.measure, device, spec);
    lane->sets = std::max(lane->sets, active.sets);
    // Only on buffers of its own does each execution of a cold sample miss.
    if (point.measure.cache == CacheMode::cold) device.max_batch = std::min(device.max_batch, active.sets);
    active.settings = point.measure;
    active.settings.max_seconds = std::min(point.measure.max_seconds - entry.spent_seconds, cap) /
                                  std::max(1U, point.measure.replicates);
    active.budgeted = active.settings.max_seconds * active.settings.replicates < point.measure.max_seconds;
    active.device = std::move(device);
    active.in_place = in_place(spec);
    active.begin_sampling();
    seed_ = point.measure.seed;
    paired_ = paired_ || point.measure.mode == RoundMode::paired;
    replicates_ = std::max(replicates_, point.measure.replicates);
    active_.push_back(std::move(active));
  }
  if (paired_) choose_pairs();
}

void GroupRunner::choose_pairs() {
  std::vector<PairCandidate> candidates;
  std::vector<Active*> owners;
  for (Active& active : active_) {
    if (active.settings.mode != RoundMode::paired) continue;
    candidates.push_back({&active.point(), active.device.type, active.variant->vendor});
    owners.push_back(&active);
  }
  const auto baselines = choose_baselines(candidates, context_.compare);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (baselines[i]) owners[i]->baseline = owners[*baselines[i]];
  }
}

GroupRunner::~GroupRunner() {
  for (LaneGroup& lane : lanes_) {
    if (!lane.worker->running() || lane.generation != lane.worker->generation()) continue;
    try {
      lane.worker->call(Verb::drop, {{"problem", problem_id_}});
    } catch (const std::exception&) {
      lane.worker->reset();  // what it still holds goes with it
    }
  }
  if (context_.kept_references != nullptr) return;
  std::error_code ignored;
  std::filesystem::remove(reference_file_, ignored);
}

std::vector<GroupRunner::Active*> GroupRunner::open_points() {
  std::vector<Active*> open;
  for (Active& active : active_) {
    if (!active.entry->finished && !active.sampled) open.push_back(&active);
  }
  return open;
}

void GroupRunner::run() {
  if (active_.empty()) return;
  resume_samples();
  if (!make_reference()) return;
  compile();
  for (; replicate_ < replicates_ && !context_.interrupted(); ++replicate_) {
    run_replicate();
    first_round_ = 0;
    for (Active& active : active_) {
      active.sampled = false;
      active.begin_sampling();
    }
    // A fresh process for the next one: that is what a replicate is.
    if (replicate_ + 1 < replicates_) {
      for (LaneGroup& lane : lanes_) lane.worker->reset();
    }
  }
  if (paired_) compare();
}

void GroupRunner::run_replicate() {
  for (LaneGroup& lane : lanes_) {
    if (context_.interrupted()) return;
    bring_up(lane);
  }
  for (Active* active : open_points()) {
    if (context_.interrupted()) return;
    if (prepare(*active)) verify_and_warm_up(*active);
  }
  if (paired_) share_batches();
  sample_rounds();
}

void GroupRunner::share_batches() {
  for (const LaneGroup& lane : lanes_) {
    std::uint32_t batch = 1;
    for (const Active* active : open_points()) {
      if (active->lane == &lane) batch = std::max(batch, active->sampler->batch());
    }
    for (Active* active : open_points()) {
      // One that lasts much longer has long samples anyway.
      const bool alike = active->lane == &lane && active->sampler->batch() * 4 >= batch;
      if (alike) active->sampler->set_batch(batch);
    }
  }
}

void GroupRunner::resume_samples() {
  // Only rounds in which every open point was sampled are comparable; the rest of a broken round is
  // kept in the store, marked as unused. A replicate is complete if a later one was begun.
  std::map<Active*, std::vector<SampleRow>> stored;
  for (Active& active : active_) {
    for (SampleRow& row : context_.store.samples(active.entry->id)) {
      if (!row.used) continue;
      replicate_ = std::max(replicate_, row.replicate);
      stored[&active].push_back(std::move(row));
    }
  }
  std::vector<std::uint32_t> rounds;
  for (Active& active : active_) {
    std::uint32_t& own = rounds.emplace_back(0);
    for (const SampleRow& row : stored[&active]) {
      if (row.replicate == replicate_) own = std::max(own, row.round + 1);
    }
  }
  // What is refined was sampled to an end of its own before: no round of it is broken.
  const std::uint32_t complete = context_.refining ? std::ranges::max(rounds) : std::ranges::min(rounds);
  first_round_ = complete;
  for (auto& [active, rows] : stored) {
    std::size_t resumed = 0;
    for (std::uint32_t replicate = 0; replicate <= replicate_; ++replicate) {
      std::vector<double> samples;
      for (const SampleRow& row : rows) {
        if (row.replicate != replicate) continue;
        if (replicate == replicate_ && row.round >= complete) {
          context_.store.mark_unused(active->entry->id, row.round, replicate);
          continue;
        }
        samples.insert(samples.end(), row.block.ns.begin(), row.block.ns.end());
        if (row.session != context_.session) resumed += row.block.ns.size();
        active->rounds[round_key(replicate, row.round)] = stats::median(row.block.ns);
      }
      if (samples.empty()) continue;
      active->sampler->resume(samples);
      if (replicate < replicate_) {
        active->replicates.push_back({samples, active->sampler->measurement()});
        active->begin_sampling();
      }
    }
    if (resumed > 0) {
      active->resumed = fmt::format("{} of the samples come from an earlier session", resumed);
    }
  }
  if (complete > 0 && !context_.refining) {
    context_.progress.message(fmt::format("resuming the group of {} after {} complete rounds",
                                          active_.front().point().label(), complete));
  }
}

bool GroupRunner::make_reference() {
  const Point& point = active_.front().point();
  const std::string key =
      fmt::format("{}|{}|{}|{}", point.workload, point.layout, seed_, to_text(point.problem));
  ReferenceKeep* keep = context_.kept_references;
  if (keep != nullptr) reference_file_ = keep->find(key);
  if (!reference_file_.empty()) return true;
  reference_file_ = context_.folder / fmt::format("reference-{}.bin", problem_id_);
  context_.progress.working(point, "computing the reference");
  try {
    compute_reference(point);
    if (keep != nullptr) keep->keep(key, reference_file_);
    return true;
  } catch (const std::exception& error) {
    for (Active* active : open_points()) {
      finish(*active, Status::launch_error,
             fmt::format("no reference to verify against: {}", error.what()));
    }
    return false;
  }
}

void GroupRunner::compute_reference(const Point& point) {
  if (!find_workload(point.workload)->judge().empty()) {
    context_.judges.make_reference(point, seed_, reference_file_);
    return;
  }
  context_.reference_worker.call(Verb::reference,
                                 {{"workload", point.workload},
                                  {"parameters", to_json(point.problem)},
                                  {"layout", point.layout},
                                  {"seed", seed_},
                                  {"file", reference_file_.string()}},
                                 std::chrono::duration<double>(10 * context_.timeout_seconds));
}

void GroupRunner::compile() {
  if (context_.compile_pool == nullptr) return;
  std::vector<CompileJob> jobs;
  std::vector<Active*> owners;
  for (Active* active : open_points()) {
    if (!active->lane->backend->compiles_offline || !active->variant->kernel) continue;
    const Point& point = active->point();
    const ProblemSpec spec = find_workload(point.workload)->problem(point.problem, point.layout);
    const DeviceInfo& device = active->lane->worker->lane().device;
    const Parameters values =
        kernel_values(point.problem, point.layout, point.tunables, device_values(device));
    jobs.push_back({point.backend, device.architecture,
                    plan_kernel(*active->variant->kernel, values, spec,
                                active->lane->backend->folder_of(*active->variant))});
    owners.push_back(active);
  }
  if (jobs.empty()) return;
  context_.progress.working(owners.front()->point(), fmt::format("compiling {} kernels", jobs.size()));
  const auto outcomes = context_.compile_pool->compile(jobs, context_.interrupted);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] && outcomes[i]->status != Status::ok) {
      finish(*owners[i], outcomes[i]->status, outcomes[i]->reason);
    }
  }
}

void GroupRunner::bring_up(LaneGroup& lane) {
  const auto usable = [&] {
    return lane.worker->running() && lane.generation == lane.worker->generation();
  };
  if (usable()) return;
  const Point* point = nullptr;
  for (const Active& active : active_) {
    if (active.lane == &lane && !active.entry->finished) point = &active.entry->point;
  }
  if (point == nullptr) return;
  std::string what = "opening the device";
  try {
    context_.progress.working(*point, what);
    lane.worker->ensure_open();
    what = "setting up the problem";
    const json answer = lane.worker->call(Verb::problem, {{"id", problem_id_},
                                                          {"workload", point->workload},
                                                          {"parameters", to_json(point->problem)},
                                                          {"layout", point->layout},
                                                          {"seed", seed_},
                                                          {"sets", lane.sets},
                                                          {"reference", reference_file_.string()}});
    lane.bytes = answer.at("bytes").get<std::uint64_t>();
    lane.generation = lane.worker->generation();
  } catch (const Failure& failure) {
    finish_all(lane, status_of(failure), fmt::format("{}: {}", what, failure.what()));
  } catch (const WorkerLost& lost) {
    finish_all(lane, lost.status(), fmt::format("{}: {}", what, lost.what()));
  }
}

template <class Action>
bool GroupRunner::attempt(Active& active, const std::string& what, Action action) {
  try {
    action();
    return true;
  } catch (const Failure& failure) {
    finish(active, status_of(failure), fmt::format("{}: {}", what, failure.what()));
  } catch (const WorkerLost& lost) {
    context_.progress.message(
        fmt::format("{}: {}; its worker is replaced", active.point().label(), lost.what()));
    finish(active, lost.status(), lost.what());
  } catch (const std::invalid_argument& fault) {
    finish(active, Status::launch_error, fmt::format("{}: {}", what, fault.what()));
  }
  return false;
}

bool GroupRunner::prepare(Active& active) {
  LaneGroup& lane = *active.lane;
  bring_up(lane);
  if (active.entry->finished) return false;
  if (active.generation == lane.generation) return true;
  context_.progress.working(active.point(), "preparing");
  return attempt(active, "preparing", [&] {
    active.prepared_id = next_id();
    const json answer = lane.worker->call(Verb::prepare, {{"id", active.prepared_id},
                                                          {"problem", problem_id_},
                                                          {"variant", active.point().variant},
                                                          {"tunables", to_json(active.point().tunables)},
                                                          {"label", active.point().label()}});
    active.generation = lane.generation;
    active.resources = answer.at("resources").get<Resources>();
    active.notes.clear();
    for (const auto& [key, text] : answer.at("notes").items()) active.notes[key] = text.get<std::string>();
  });
}

void GroupRunner::verify_and_warm_up(Active& active) {
  LaneWorker& worker = *active.lane->worker;
  context_.progress.working(active.point(), "verifying");
  const bool verified = attempt(active, "verifying", [&] {
    const auto start = Clock::now();
    const json answer = worker.call(
        Verb::check, {{"prepared", active.prepared_id}, {"execute", true}, {"sets", active.sets}});
    active.before = verification_from_json(answer.at("verification"));
    const double run_ns = answer.at("run_ns").get<double>();
    active.sampler->spend(std::max(0.0, seconds_since(start) - run_ns * 1e-9));
    active.sampler->executed_once(run_ns);
  });
  if (!verified) return;
  const bool expected_wrong = active.point().expect == Expect::wrong;
  if (!active.before->ok && !expected_wrong) return finish(active, Status::wrong, active.before->reason);
  if (active.before->ok && expected_wrong) {
    return finish(active, Status::wrong, "the config expects wrong results, but they were right");
  }
  if (context_.device_debug) {
    return finish(active, Status::ok, "compiled for debugging: verified, never timed");
  }
  context_.progress.working(active.point(), "warming up");
  while (active.sampler->warming_up() && !active.entry->finished && !context_.interrupted()) {
    sample_once(active, -1);
  }
}

void GroupRunner::sample_once(Active& active, std::int64_t round) {
  PointSampler& sampler = *active.sampler;
  SampleRequest request = sampler.next();
  request.sets = active.sets;
  attempt(active, round < 0 ? "warming up" : "sampling", [&] {
    const auto start = Clock::now();
    const json answer = active.lane->worker->call(Verb::sample,
                                                  {{"prepared", active.prepared_id},
                                                   {"request", to_json(request)},
                                                   {"observe", active.point().measure.observe},
                                                   {"discard_first", sampler.discard_first()}},
                                                  patience(sampler.expected_seconds()));
    const SampleBlock block = sample_block_from_json(answer);
    const double seconds = seconds_since(start);
    const bool put_aside = round >= 0 && active.observed.put_aside(answer, block.ns.size());
    put_aside ? sampler.spend(seconds) : sampler.accept(block, seconds);
    active.entry->spent_seconds += seconds;
    if (round < 0) return;
    const auto number = static_cast<std::uint32_t>(round);
    context_.store.append_samples(active.entry->id, context_.session, number, block, replicate_);
    if (put_aside) {
      context_.store.mark_unused(active.entry->id, number, replicate_);
    } else {
      active.rounds[round_key(replicate_, number)] = stats::median(block.ns);
    }
  });
}

void GroupRunner::sample_rounds() {
  std::mt19937_64 random(context_.order_seed * 0x9e3779b97f4a7c15U + problem_id_ + replicate_);
  next_look_ = first_look;
  bool closing = false;  // paired: this round is the last of all
  for (std::int64_t round = first_round_;; ++round) {
    std::vector<Active*> open = open_points();
    if (open.empty()) return;
    std::ranges::shuffle(open, random);
    bool capped = false;
    for (Active* active : open) {
      if (context_.interrupted()) return;
      if (!prepare(*active)) continue;  // its worker may have been replaced since the last round
      context_.progress.working(active->point(), "sampling");
      sample_once(*active, round);
      if (active->entry->finished) continue;
      if (closing && !active->sampler->done()) active->sampler->stop(stop_reason_);
      if (active->sampler->done()) {
        if (active->budgeted && active->sampler->stop_reason() == StopReason::max_seconds) {
          active->sampler->stop(StopReason::budget);
        }
        capped = true;
        stop_reason_ = active->sampler->stop_reason();
        conclude(*active);
      }
    }
    // Rounds that not all take part in are worth nothing to a pair.
    if (paired_) closing = capped || enough_rounds(round + 1);
  }
}

bool GroupRunner::enough_rounds(std::int64_t rounds) {
  if (rounds < next_look_) return false;
  next_look_ = static_cast<std::int64_t>(std::ceil(look_growth * static_cast<double>(rounds)));
  stop_reason_ = StopReason::target;
  return std::ranges::all_of(active_, [&](const Active& active) {
    if (active.entry->finished || active.baseline == nullptr || active.settings.fixed_samples > 0) {
      return active.settings.fixed_samples == 0;
    }
    return ratio_half_width(pair_of(active)) <= active.settings.target;
  });
}

Pair GroupRunner::pair_of(const Active& active) const {
  return {&active.rounds, &active.baseline->rounds, active.baseline->point().label()};
}

void GroupRunner::compare() {
  std::vector<const Active*> compared;
  std::vector<Pair> pairs;
  const auto timed = [](const Active& active) {
    const StatusClass status = info(active.point().status).status_class;
    return active.entry->finished && !active.rounds.empty() &&
           (status == StatusClass::good || status == StatusClass::warning);
  };
  for (const Active& active : active_) {
    if (active.baseline == nullptr || !timed(active) || !timed(*active.baseline)) continue;
    compared.push_back(&active);
    pairs.push_back(pair_of(active));
  }
  const std::vector<Comparison> comparisons = compare_pairs(pairs, context_.compare.threshold);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    context_.store.set_comparison(compared[i]->entry->id, comparisons[i]);
  }
}

void GroupRunner::conclude(Active& active) {
  // The outputs are those of the samples just taken: they were poisoned before the first of them.
  const bool compared = attempt(active, "verifying after timing", [&] {
    const json answer =
        active.lane->worker->call(Verb::check, {{"prepared", active.prepared_id}, {"execute", false}});
    active.after = verification_from_json(answer.at("verification"));
    for (const auto& [id, value] : answer.at("metrics").items()) active.resources[id] = value.get<double>();
  });
  if (!compared) return;
  if (active.replicates.size() + 1 >= active.settings.replicates) observe(active);
  if (active.point().expect == Expect::wrong)
    return finish(active, Status::ok, "wrong, as the config expects");
  if (!active.after->ok) {
    return finish(active, Status::wrong, "after timing: " + active.after->reason);
  }
  active.sampled = true;
  active.replicates.push_back({active.sampler->samples(), active.sampler->measurement()});
  if (active.replicates.size() < active.settings.replicates) return;
  const std::string shortfall = shortfall_of(active);
  finish(active, shortfall.empty() ? Status::ok : Status::unstable, shortfall);
}

std::string GroupRunner::shortfall_of(const Active& active) const {
  if (active.settings.mode == RoundMode::independent) return active.sampler->shortfall();
  if (active.baseline == nullptr || active.settings.fixed_samples > 0) return {};
  const double width = ratio_half_width(pair_of(active));
  if (width <= active.settings.target) return {};
  if (std::isnan(width)) {
    return fmt::format("only {} rounds: too few for an interval of the ratio; allow the point more time",
                       active.rounds.size());
  }
  return fmt::format(
      "the ratio to {} is known to ±{:.3g} %, the target is ±{:.3g} %; allow more time or a "
      "wider target",
      active.baseline->point().label(), 100 * width, 100 * active.settings.target);
}

/// Readings that need a pass of their own, which nothing is timed in.
void GroupRunner::observe(Active& active) {
  const MeasureSettings& settings = active.point().measure;
  if (settings.observe.empty()) return;
  context_.progress.working(active.point(), "observing");
  const double execution_ns = stats::median(active.sampler->samples());
  SampleRequest request = active.sampler->next();
  request.sets = active.sets;
  try {
    active.observed.add_pass(active.lane->worker->call(Verb::observe,
                                                       {{"prepared", active.prepared_id},
                                                        {"request", to_json(request)},
                                                        {"observe", settings.observe},
                                                        {"execution_ns", execution_ns}},
                                                       patience(execution_ns * 1e-9)));
  } catch (const std::runtime_error& error) {  // the worker's, and no harm to what was measured
    active.observed.pass_failed(settings.observe, error.what());
  }
}

void GroupRunner::finish(Active& active, Status status, const std::string& reason) {
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
  if (measurement) result.resources.merge(replicate_metrics(active.replicates));
  if (active.point().measure.cache != CacheMode::hot) result.resources["buffer_sets"] = active.sets;
  result.notes = active.notes;
  active.observed.conclude(result, context_.store.samples(active.entry->id), context_.catalogue);
  try {
    result.resources.merge(counted_traffic(point, *active.variant, active.lane->worker->lane().device));
  } catch (const predict::PatternError& error) {
    result.notes["prediction"] = error.what();
  }
  if (measurement) active.entry->median_ns = measurement->median_ns;
  const BackendEntry& backend = *active.lane->backend;
  if (backend.own_folders.contains(BackendEntry::key_of(*active.variant))) {
    result.notes["kernel_source"] = active.variant->kernel->launches.front().source;
  }
  context_.store.finish_point(active.entry->id, result);
  context_.progress.finished(point, measurement ? &*measurement : nullptr);
}

void GroupRunner::finish_all(LaneGroup& lane, Status status, const std::string& reason) {
  for (Active* active : open_points()) {
    if (active->lane == &lane) finish(*active, status, reason);
  }
}

}  // namespace benchctl

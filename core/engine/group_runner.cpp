#include "engine/group_runner.hpp"

#include "engine/prediction.hpp"
#include "model/json.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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

/// A watchdog must not bark at a long but honest sample.
double patience(double expected_seconds) { return 10 * expected_seconds; }

}  // namespace

struct GroupRunner::LaneGroup {
  LaneWorker* worker = nullptr;
  const BackendEntry* backend = nullptr;
  std::uint64_t generation = 0;  // of the worker that knows our problem
  bool in_place = false;
};

struct GroupRunner::Active {
  RunPoint* entry = nullptr;
  LaneGroup* lane = nullptr;
  const VariantInfo* variant = nullptr;
  std::uint64_t prepared_id = 0;
  std::uint64_t generation = 0;  // of the worker that holds it prepared
  bool checked = false;
  std::unique_ptr<PointSampler> sampler;
  std::optional<Verification> before;
  std::optional<Verification> after;
  Resources resources;
  std::map<std::string, std::string, std::less<>> notes;
  std::string resumed;

  [[nodiscard]] Point& point() const { return entry->point; }
};

GroupRunner::GroupRunner(RunContext& context, const Group& group)
    : context_(context), group_(group), problem_id_(next_id()) {
  std::size_t open = 0;
  for (const std::size_t index : group.points) open += context.points[index].finished ? 0 : 1;
  const double cap = context.budget(open);
  for (const std::size_t index : group.points) {
    RunPoint& entry = context.points[index];
    if (entry.finished) continue;
    const Point& point = entry.point;
    LaneWorker& worker = *context.lanes.at(point.device);
    auto lane = std::ranges::find(lanes_, &worker, &LaneGroup::worker);
    if (lane == lanes_.end()) {
      lanes_.push_back({&worker, context.catalogue.find(point.backend), 0, false});
      lane = std::prev(lanes_.end());
    }
    Active active;
    active.entry = &entry;
    active.lane = &*lane;
    active.variant = lane->backend->find_variant(point.workload, point.variant);
    MeasureSettings settings = point.measure;
    settings.max_seconds = std::min(settings.max_seconds, cap);
    active.sampler = std::make_unique<PointSampler>(settings, worker.lane().device, false);
    seed_ = settings.seed;
    active_.push_back(std::move(active));
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
  std::error_code ignored;
  std::filesystem::remove(reference_file_, ignored);
}

std::vector<GroupRunner::Active*> GroupRunner::open_points() {
  std::vector<Active*> open;
  for (Active& active : active_) {
    if (!active.entry->finished) open.push_back(&active);
  }
  return open;
}

void GroupRunner::run() {
  if (active_.empty()) return;
  resume_samples();
  if (!make_reference()) return;
  compile();
  for (LaneGroup& lane : lanes_) {
    if (context_.interrupted()) return;
    bring_up(lane);
  }
  for (Active* active : open_points()) {
    if (context_.interrupted()) return;
    if (prepare(*active)) verify_and_warm_up(*active);
  }
  sample_rounds();
}

void GroupRunner::resume_samples() {
  // Only rounds in which every open point was sampled are comparable; the rest of a broken round is
  // kept in the store, marked as unused.
  std::map<Active*, std::vector<SampleRow>> stored;
  std::uint32_t complete = std::numeric_limits<std::uint32_t>::max();
  for (Active& active : active_) {
    std::uint32_t rounds = 0;
    for (SampleRow& row : context_.store.samples(active.entry->id)) {
      if (!row.used) continue;
      rounds = std::max(rounds, row.round + 1);
      stored[&active].push_back(std::move(row));
    }
    complete = std::min(complete, rounds);
  }
  first_round_ = complete;
  for (auto& [active, rows] : stored) {
    for (const SampleRow& row : rows) {
      if (row.round >= complete) context_.store.mark_unused(active->entry->id, row.round);
    }
    std::erase_if(rows, [&](const SampleRow& row) { return row.round >= complete; });
    if (rows.empty()) continue;
    const std::vector<double> samples = used_ns(rows);
    active->sampler->resume(samples);
    active->resumed = fmt::format("{} of the samples come from an interrupted session", samples.size());
  }
  if (complete > 0) {
    context_.progress.message(fmt::format("resuming the group of {} after {} complete rounds",
                                          active_.front().point().label(), complete));
  }
}

bool GroupRunner::make_reference() {
  const Point& point = active_.front().point();
  reference_file_ = context_.folder / fmt::format("reference-{}.bin", problem_id_);
  context_.progress.working(point, "computing the reference");
  try {
    context_.reference_worker.call(Verb::reference,
                                   {{"workload", point.workload},
                                    {"parameters", to_json(point.problem)},
                                    {"layout", point.layout},
                                    {"seed", seed_},
                                    {"file", reference_file_.string()}},
                                   std::chrono::duration<double>(10 * context_.timeout_seconds));
    return true;
  } catch (const std::exception& error) {
    for (Active* active : open_points()) {
      finish(*active, Status::launch_error,
             fmt::format("no reference to verify against: {}", error.what()));
    }
    return false;
  }
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
    jobs.push_back(
        {point.backend, device.architecture,
         plan_kernel(*active->variant->kernel, values, spec, active->lane->backend->kernel_directory)});
    owners.push_back(active);
  }
  if (jobs.empty()) return;
  context_.progress.working(owners.front()->point(), fmt::format("compiling {} kernels", jobs.size()));
  const std::vector<CompileOutcome> outcomes = context_.compile_pool->compile(jobs);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].status != Status::ok) finish(*owners[i], outcomes[i].status, outcomes[i].reason);
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
                                                          {"sets", 1},
                                                          {"reference", reference_file_.string()}});
    lane.in_place = answer.at("in_place").get<bool>();
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
                                                          {"tunables", to_json(active.point().tunables)}});
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
    const json answer = worker.call(Verb::check, {{"prepared", active.prepared_id}, {"execute", true}});
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
  const SampleRequest request = sampler.next();
  attempt(active, round < 0 ? "warming up" : "sampling", [&] {
    const auto start = Clock::now();
    const json answer = active.lane->worker->call(Verb::sample,
                                                  {{"prepared", active.prepared_id},
                                                   {"request", to_json(request)},
                                                   {"discard_first", sampler.discard_first()}},
                                                  patience(sampler.expected_seconds()));
    const SampleBlock block = sample_block_from_json(answer);
    sampler.accept(block, seconds_since(start));
    if (round >= 0) {
      context_.store.append_samples(active.entry->id, context_.session, static_cast<std::uint32_t>(round),
                                    block);
    }
  });
}

void GroupRunner::sample_rounds() {
  std::mt19937_64 random(context_.order_seed * 0x9e3779b97f4a7c15U + problem_id_);
  for (std::int64_t round = first_round_;; ++round) {
    std::vector<Active*> open = open_points();
    if (open.empty()) return;
    std::ranges::shuffle(open, random);
    for (Active* active : open) {
      if (context_.interrupted()) return;
      if (!prepare(*active)) continue;  // its worker may have been replaced since the last round
      context_.progress.working(active->point(), "sampling");
      sample_once(*active, round);
      if (!active->entry->finished && active->sampler->done()) conclude(*active);
    }
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
  if (active.point().expect == Expect::wrong)
    return finish(active, Status::ok, "wrong, as the config expects");
  if (!active.after->ok) {
    return finish(active, Status::wrong, "after timing: " + active.after->reason);
  }
  const std::string shortfall = active.sampler->shortfall();
  finish(active, shortfall.empty() ? Status::ok : Status::unstable, shortfall);
}

void GroupRunner::finish(Active& active, Status status, const std::string& reason) {
  Point& point = active.point();
  point.status = status;
  point.reason = reason;
  active.entry->finished = true;
  std::optional<Measurement> measurement;
  const bool timed = status == Status::ok || status == Status::unstable;
  if (timed && !active.sampler->samples().empty()) {
    measurement = active.sampler->measurement();
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
  result.notes = active.notes;
  try {
    result.resources.merge(counted_traffic(point, *active.variant, active.lane->worker->lane().device));
  } catch (const predict::PatternError& error) {
    result.notes["prediction"] = error.what();
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

// Everything that comes before the first sample: what is there of earlier sessions, reference, compiled
// kernels, opened devices, uploaded problems, prepared and verified variants.
#include "engine/group_runner.hpp"

#include "model/keys.hpp"
#include "model/values.hpp"
#include "observe/control_groups.hpp"
#include "stats/summary.hpp"
#include "worker/buffers.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace benchctl {

void GroupRunner::resume_samples() {
  // A replicate is complete if a later one was begun. A round that an interruption broke does no harm:
  // points are compared by the rounds that both have.
  std::map<ActivePoint*, std::vector<SampleRow>> stored;
  for (ActivePoint& active : active_) {
    for (SampleRow& row : context_.store.samples(active.entry->id)) {
      if (!row.used) continue;
      replicate_ = std::max(replicate_, row.replicate);
      stored[&active].push_back(std::move(row));
    }
  }
  if (context_.replicating) {
    replicates_ = ++replicate_ + 1;
    for (ActivePoint& active : active_) active.settings.replicates = replicates_;
  }
  for (auto& [active, rows] : stored) {
    std::size_t resumed = 0;
    for (std::uint32_t replicate = 0; replicate <= replicate_; ++replicate) {
      std::vector<double> samples;
      std::int64_t rounds = 0;
      for (const SampleRow& row : rows) {
        if (row.replicate != replicate) continue;
        samples.insert(samples.end(), row.block.ns.begin(), row.block.ns.end());
        if (row.session != context_.session) resumed += row.block.ns.size();
        active->rounds[stats::round_key(replicate, row.round)] = stats::median(row.block.ns);
        ++rounds;
      }
      if (samples.empty()) continue;
      active->sampler->resume(samples);
      if (replicate < replicate_) {
        active->replicates.push_back({samples, active->sampler->measurement()});
        active->begin_sampling();
      } else {
        first_round_ = std::max(first_round_, rounds);
      }
    }
    if (resumed > 0 && !context_.replicating) {
      active->resumed = fmt::format("{} of the samples come from an earlier session", resumed);
    }
  }
  if (first_round_ > 0 && !context_.refining) {
    context_.progress.message(fmt::format("resuming the group of {} after {} rounds",
                                          active_.front().point().label(), first_round_));
  }
}

bool GroupRunner::make_references() {
  std::uint32_t draws = 1;
  if (!context_.workloads.find(group_.workload)->keeps_inputs()) {
    for (const GroupLane& lane : lanes_) draws = std::max(draws, std::min(lane.sets, most_draws));
  }
  for (std::uint32_t draw = 0; draw < draws; ++draw) draw_seeds_.push_back(seed_of_draw(seed_, draw));
  bool any = false;
  for (GroupProblem& problem : problems_) any = make_references(problem) || any;
  return any;
}

bool GroupRunner::make_references(GroupProblem& problem) {
  context_.progress.working(problem.point, "computing the reference");
  try {
    for (const std::uint64_t seed : draw_seeds_)
      problem.references.push_back(make_reference(problem, seed));
    return true;
  } catch (const Failure& failure) {
    end_without_reference(problem, failure.what(), status_of(failure));
  } catch (const std::exception& error) {
    // A data program was stopped: the next session asks it again.
    if (!context_.interrupted()) end_without_reference(problem, error.what(), Status::launch_error);
  }
  return false;
}

void GroupRunner::end_without_reference(const GroupProblem& problem, const std::string& why,
                                        Status of_trusted) {
  const std::string trusted = context_.workloads.find(group_.workload)->trusted_kernel();
  const std::string& device = problem.point.device;
  for (ActivePoint* active : open_points()) {
    if (active->lane->problem != &problem) continue;
    // What one device does not support another may.
    const bool is_trusted = active->point().variant == trusted &&
                            (of_trusted != Status::skipped || active->point().device == device);
    finish(*active, is_trusted ? of_trusted : Status::launch_error,
           fmt::format("no reference to verify against: {}", why));
  }
}

std::filesystem::path GroupRunner::make_reference(const GroupProblem& problem, std::uint64_t seed) {
  const Point& point = problem.point;
  std::filesystem::path file = context_.folder / fmt::format("reference-{}-{}.npy", problem.id, seed);
  const Workload& workload = *context_.workloads.find(point.workload);
  KeyText made_from;
  made_from.add(problem.key.text())
      .add(std::to_string(workload.version()))
      .add(workload.content())
      .add(point.layout)
      .add(std::to_string(seed));
  // A trusted kernel may have changed by the next run.
  if (!workload.trusted_kernel().empty()) made_from.add(context_.folder.string());
  const std::string key = made_from.take();
  std::vector<std::string> keys = context_.data_programs.make(workload, point, seed, true);
  keys.push_back(key);
  if (point.measure.seed == 0) context_.drawn_references.insert(keys.begin(), keys.end());
  if (context_.references.fetch(key, file)) return file;
  compute_reference(point, seed, file);
  context_.references.keep(key, file);
  return file;
}

double GroupRunner::compute_reference(const Point& point, std::uint64_t seed,
                                      const std::filesystem::path& file) {
  if (context_.workloads.find(point.workload)->trusted_kernel().empty())
    return context_.reference_worker.compute(point, seed, file);
  const double start = context_.clock();
  context_.trusted_kernels.make_reference(point, seed, file);
  return context_.clock() - start;
}

void GroupRunner::compute_ahead() {
  constexpr unsigned fewest_cores = 4;  // the host's part of launching and timing has some for itself
  const bool on_processor = std::ranges::any_of(
      active_, [](const ActivePoint& active) { return active.device.type == DeviceType::cpu; });
  // Under a budget the next group may never come.
  if (on_processor || active_.front().time.in_haste || usable_processors() < fewest_cores) return;
  const auto begin = [&](const Point& point, std::uint64_t seed, std::string_view name) {
    const Workload& workload = *context_.workloads.find(point.workload);
    if (!workload.trusted_kernel().empty() || workload.keeps_inputs() || workload.data_program() != nullptr)
      return;
    context_.reference_worker.begin(point, seed,
                                    context_.folder / fmt::format("reference-{}-{}.npy", id_, name));
  };
  if (!next_fresh_seed_) begin(active_.front().point(), next_fresh_seed_.emplace(unknown_seed()), "ahead");
  // With a fixed seed an earlier run may have kept it.
  const Point* next = std::exchange(context_.upcoming, nullptr);
  if (next != nullptr && next->measure.seed == 0) begin(*next, context_.seed, "next");
}

void GroupRunner::plan(ActivePoint& active, const ProblemSpec& problem) const {
  const Point& point = active.point();
  std::string picked;
  if (!active.variant->among.empty()) {
    Notes notes = context_.store.result(active.entry->id).notes;
    if (const auto note = notes.find(configuration_note); note != notes.end()) picked = note->second;
    if (!picked.empty()) active.notes = std::move(notes);
  }
  try {
    active.candidates =
        candidates_of({*context_.workloads.find(point.workload), *active.lane->backend, *active.variant,
                       active.lane->worker->lane().device, problem, point.tunables},
                      picked);
  } catch (const Failure& failure) {
    active.unplanned = failure.what();
  }
}

void GroupRunner::compile() {
  if (context_.compile_pool == nullptr) return;
  std::vector<CompileJob> jobs;
  std::vector<std::pair<ActivePoint*, std::size_t>> owners;  // and which of its candidates
  for (ActivePoint* active : open_points()) {
    const BackendEntry& backend = *active->lane->backend;
    if (!backend.compiles_offline) continue;
    for (std::size_t i = 0; i < active->candidates.size(); ++i) {
      if (!active->candidates[i].plan) continue;
      jobs.push_back({active->point().backend, backend.own_library(),
                      active->lane->worker->lane().device.architecture, *active->candidates[i].plan});
      owners.emplace_back(active, i);
    }
  }
  if (jobs.empty()) return;
  context_.progress.working(owners.front().first->point(),
                            fmt::format("compiling {} kernels", jobs.size()));
  const double start = context_.clock();
  const auto stopped = [&] { return context_.interrupted() || context_.compiling_left() <= 0; };
  const auto outcomes = context_.compile_pool->compile(jobs, stopped);
  compile_seconds_ = context_.clock() - start;
  // From the last to the first, so that what is left out moves none that are still to be looked at.
  for (std::size_t i = outcomes.size(); i-- > 0;) {
    if (!outcomes[i]) continue;
    const auto [active, place] = owners[i];
    if (outcomes[i]->compile_ns > 0) active->preparation["compile_ns"] += outcomes[i]->compile_ns;
    if (outcomes[i]->status == Status::ok) {
      if (active->variant->among.empty()) context_.compiled.insert(kernel_key(active->point()));
      continue;
    }
    active->candidates.erase(active->candidates.begin() + static_cast<std::ptrdiff_t>(place));
    if (!active->candidates.empty()) continue;
    finish(*active, outcomes[i]->status, outcomes[i]->reason);
  }
}

void GroupRunner::bring_up(GroupLane& lane) {
  const auto usable = [&] {
    return lane.worker->running() && lane.generation == lane.worker->generation();
  };
  if (usable()) return;
  const Point* point = nullptr;
  for (const ActivePoint& active : active_) {
    if (active.lane == &lane && !active.entry->finished) point = &active.entry->point;
  }
  if (point == nullptr) return;
  std::string what;
  const auto set_up = [&] {
    what = "opening the device";
    context_.progress.working(*point, what);
    lane.worker->ensure_open();
    what = "setting up the problem";
    lane.bytes =
        lane.worker
            ->ask(verbs::Problem{lane.problem->id, state(*point, *context_.workloads.find(point->workload)),
                                 draw_seeds_, lane.sets, lane.spare, lane.problem->references})
            .bytes;
    lane.generation = lane.worker->generation();
  };
  bool stopped = false;
  try {
    // A worker that something else killed meanwhile costs no point: none was being worked on.
    retry(set_up, [&](const WorkerLost& lost) {
      context_.progress.message(fmt::format("{}: {}; another worker tries", what, lost.what()));
      stopped = context_.interrupted();
      return !stopped;
    });
  } catch (const Failure& failure) {
    finish_all(lane, status_of(failure), fmt::format("{}: {}", what, failure.what()));
  } catch (const WorkerLost& lost) {
    if (!stopped) finish_all(lane, lost.status(), fmt::format("{}: {}", what, lost.what()));
  }
}

bool GroupRunner::prepare(ActivePoint& active) {
  GroupLane& lane = *active.lane;
  bring_up(lane);
  if (active.entry->finished) return false;
  if (active.generation == lane.generation) return true;
  const bool compiles = may_compile(active);
  context_.progress.working(active.point(), compiles ? "compiling" : "preparing");
  const double start = context_.clock();
  const bool prepared = attempt(active, "preparing", [&] {
    make_ready(active, compiles && !paired_ ? context_.compilers_left() : infinite_seconds);
  });
  if (compiles) compile_seconds_ += context_.clock() - start;
  return prepared;
}

void GroupRunner::make_ready(ActivePoint& active, double most_seconds) {
  if (active.candidates.empty()) throw Failure(FailureKind::unsupported, active.unplanned);
  active.prepared_id = context_.next_id();
  const Point& point = active.point();
  const GroupProblem& problem = *active.lane->problem;
  PrepareReply answer = active.lane->worker->ask(
      verbs::Prepare{active.prepared_id, problem.id, declared_precision(*active.variant, problem.spec),
                     active.candidates, point.label()},
      context_.timeout_seconds * static_cast<double>(active.candidates.size() - 1), most_seconds);
  active.generation = active.lane->generation;
  active.resources = std::move(answer.resources);
  if (const auto took = active.resources.find("prepare_ns"); took != active.resources.end())
    active.preparation.insert(*took);
  // What a trial has told stays: later processes only make ready what it picked.
  answer.notes.merge(active.notes);
  active.notes = std::move(answer.notes);
  if (!active.variant->among.empty()) pick(active, answer.picked);
  context_.compiled.insert(kernel_key(active.point()));
}

void GroupRunner::pick(ActivePoint& active, std::size_t picked) {
  std::vector<Candidate>& all = active.candidates;
  if (picked >= all.size()) {
    throw std::invalid_argument(fmt::format("configuration {} of {} was picked", picked + 1, all.size()));
  }
  all = {std::move(all[picked])};
  const std::string text = to_text(Configuration{all.front().variant, all.front().tunables});
  if (std::exchange(active.notes[configuration_note], text) == text) return;
  // Whatever ends this session, the next one continues with the same.
  context_.store.add_note(active.entry->id, configuration_note, text);
}

void GroupRunner::verify_and_warm_up(ActivePoint& active) {
  LaneWorker& worker = *active.lane->worker;
  context_.progress.working(active.point(), "verifying");
  const auto check = [&] {
    return worker.ask(verbs::Check{.prepared = active.prepared_id, .sets = active.sets});
  };
  const bool verified = attempt(active, "verifying", [&] {
    const CheckReply answer = check();
    active.before = answer.verification;
    active.verified_ns = answer.host_ns;
    active.sampler->executed_once(answer.run_ns);
  });
  if (!verified) return;
  const bool expected_wrong = active.point().expect == Expect::wrong;
  if (!active.before->ok && !expected_wrong &&
      blame(active, *active.before, "", [&] { return check().verification; }))
    return;
  if (active.before->ok && expected_wrong) {
    return finish(active, Status::wrong, "the config expects wrong results, but they were right");
  }
  if (context_.device_debug) {
    return finish(active, Status::ok, "compiled for debugging: verified, never timed");
  }
  context_.progress.working(active.point(), "warming up");
  while (active.sampler->warming_up() && !active.entry->finished && !context_.interrupted()) {
    sample_once(active, std::nullopt);
    if (is_far_slower(active)) active.sampler->end_warm_up();
  }
}

bool GroupRunner::is_far_slower(const ActivePoint& active) const {
  constexpr double far = 4;  // warming up changes a time by less
  if (!active.leaves()) return false;
  return std::ranges::any_of(active_, [&](const ActivePoint& other) {
    const std::vector<double>& samples = other.sampler->samples();
    return other.lane->worker == active.lane->worker && !samples.empty() &&
           active.sampler->execution_ns() > far * stats::median(samples);
  });
}

}  // namespace benchctl

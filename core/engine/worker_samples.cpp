// The verbs that execute what is prepared: check, sample, observe.
#include "engine/dump.hpp"
#include "engine/interrupt.hpp"
#include "engine/references.hpp"
#include "engine/worker_session.hpp"
#include "model/json.hpp"
#include "observe/machine_observers.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace benchctl {

using nlohmann::json;

namespace {

/// Outputs are compared after a block of samples if that takes no larger part of the block's time.
constexpr double round_check_share = 0.1;

/// How long one request of a pass is to last.
constexpr double pass_sample_ns = 20e6;

/// Does nothing but executions lie between the first sample of a request and the last?
bool only_executions(const SampleRequest& request, const ProblemBuffers& buffers) {
  return request.cache != CacheMode::cold && request.basis != Basis::end_to_end &&
         !in_place(buffers.spec());
}

}  // namespace

json WorkerSession::check(const json& arguments) {
  processor_.look();
  HeldPrepared& held = held_prepared(arguments);
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  const bool asked = arguments.at("execute").get<bool>();
  // A turn may end before its first sample, and what earlier turns left is gone: one execution is judged.
  const bool execute = asked || held.used_sets.empty();
  std::vector<std::uint32_t> sets = held.used_sets;
  if (execute) {
    sets.resize(asked ? arguments.at("sets").get<std::uint32_t>() : 1);
    std::iota(sets.begin(), sets.end(), 0U);
  }
  double run_ns = 0;
  double host_ns = 0;
  Verification outcome;
  json metrics = json::object();
  for (const std::uint32_t set : sets) {
    if (execute) {
      buffers.poison_outputs(set,
                             nan_byte);  // so that elements never written are NaN and get their own reason
      buffers.restore_inouts(set);
      const Stopwatch watch;
      run_ns = held.prepared->run(set);
      host_ns = watch.seconds() * 1e9;
    }
    outcome = verify(held, std::span(&set, 1), true);
    if (const std::string folder = arguments.value("dump", ""); !folder.empty()) {
      std::vector<HeldReference>& references = problems_.at(held.problem).references;
      dump_buffers(buffers.spec(), buffers.reader(set), references.at(set % references.size()).load(),
                   folder);
    }
    if (!outcome.ok) break;
    // Other poison could be read as a count.
    if (execute) metrics = buffers.metrics(set);
  }
  return {
      {"verification", to_json(outcome)}, {"run_ns", run_ns}, {"host_ns", host_ns}, {"metrics", metrics}};
}

const Reference& WorkerSession::HeldReference::load() {
  if (!values) values = load_reference(file);
  return *values;
}

std::string WorkerSession::restore_processor() {
  return is_processor(watch_->device()) ? processor_.restore() : std::string();
}

std::string WorkerSession::restore_changes(ProblemBuffers& buffers, std::uint32_t set, bool whole) {
  std::string state = restore_processor();
  const std::string input = buffers.restore_changed_input(set, whole);
  return input.empty() ? state : changes_input(input);
}

void WorkerSession::find_who_does_harm(HeldPrepared& innocent, std::uint32_t set) {
  ProblemBuffers& buffers = *problems_.at(innocent.problem).buffers;
  for (auto& [id, other] : prepared_) {
    if (&other == &innocent || other.problem != innocent.problem || !other.fault.empty()) continue;
    buffers.restore_inouts(set);
    other.prepared->run(set);
    other.fault = restore_changes(buffers, set, true);
  }
}

Verification WorkerSession::judge(HeldPrepared& held, std::uint32_t set, const Reference& reference,
                                  bool whole) {
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  const auto at_fault = [&] {
    Verification fault;
    fault.reason = held.fault;
    return fault;
  };
  if (!held.fault.empty()) return at_fault();
  Verification outcome;
  // The processor's state is restored before anything is computed here.
  const auto look = [&](std::string harm, bool all) {
    outcome = buffers.judge(set, held.precision, reference);
    std::string changed = restore_changes(buffers, set, all || !outcome.ok);
    return harm.empty() ? changed : harm;
  };
  const std::string state = restore_processor();
  const std::string harm = look(held.harm.empty() ? state : std::exchange(held.harm, {}), whole);
  if (harm.empty()) return outcome;
  if (processor_.is_spoilt()) {
    held.fault = harm;
    return at_fault();
  }
  buffers.poison_outputs(set, nan_byte);
  buffers.restore_inouts(set);
  held.prepared->run(set);
  held.fault = look(restore_processor(), true);
  if (!held.fault.empty()) return at_fault();
  find_who_does_harm(held, set);
  return outcome;
}

Verification WorkerSession::verify(HeldPrepared& held, std::span<const std::uint32_t> sets, bool whole) {
  HeldProblem& problem = problems_.at(held.problem);
  Verification outcome;
  for (const std::uint32_t set : sets) {
    const Reference& reference = problem.references.at(set % problem.references.size()).load();
    const Stopwatch watch;
    outcome = judge(held, set, reference, whole);
    held.set_check_seconds = watch.seconds();
    if (!outcome.ok) break;
  }
  return outcome;
}

/// Samples as asked for, each on restored buffers where executions change their input.
SampleBlock WorkerSession::take(HeldPrepared& held, SampleRequest request) {
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  if (!in_place(buffers.spec())) return held.prepared->sample(request);
  SampleBlock block;
  const std::uint32_t first = request.set;
  const std::uint32_t count = request.count;
  request.count = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    request.set = (first + i) % request.sets;
    buffers.restore_inouts(request.set);
    SampleBlock one = held.prepared->sample(request);
    one.ns.insert(one.ns.begin(), block.ns.begin(), block.ns.end());
    for (auto& [name, values] : one.readings) {
      const std::vector<double>& before = block.readings[name];
      values.insert(values.begin(), before.begin(), before.end());
    }
    block = std::move(one);
  }
  return block;
}

json WorkerSession::sample(const json& arguments) {
  HeldPrepared& held = held_prepared(arguments);
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  SampleRequest request = sample_request_from_json(arguments.at("request"));
  const bool discard_first = arguments.at("discard_first").get<bool>() && !in_place(buffers.spec());
  const std::uint32_t sets = request.sets;
  request.set = held.next_set % sets;
  request.count += discard_first ? 1 : 0;
  const std::uint64_t executions = std::uint64_t{request.count} * std::max(request.batch, 1U);
  held.used_sets.clear();
  for (std::uint32_t i = 0; i < std::min<std::uint64_t>(executions, sets); ++i) {
    held.used_sets.push_back(set_of(request, i));
    buffers.poison_outputs(held.used_sets.back());
  }
  held.next_set = set_of(request, executions);
  request.hook = watch_->hook();
  const auto choice = arguments.at("observe").get<ReadingSelection>();
  watch_->begin(choice);
  const Stopwatch sampling;
  SampleBlock block = take(held, request);
  const double sampling_seconds = sampling.seconds();
  held.harm = restore_processor();
  Observed observed = watch_->end(block, only_executions(request, buffers));
  const auto& missing = watch_->missing(choice, ReadingKind::block);
  observed.absent.insert(missing.begin(), missing.end());
  if (discard_first && block.ns.size() > 1) {
    for (auto& [name, values] : block.readings) {
      if (values.size() == block.ns.size()) values.erase(values.begin());
    }
    block.ns.erase(block.ns.begin());
  }
  json answer = to_json(block);
  answer["absent"] = observed.absent;
  answer["redo"] = observed.redo;
  // What these samples left is compared where that is cheap, and at the point's end in any case.
  const double check_seconds = held.set_check_seconds * static_cast<double>(held.used_sets.size());
  if (!held.harm.empty() || check_seconds <= round_check_share * sampling_seconds) {
    answer["verification"] = to_json(verify(held, held.used_sets, false));
  }
  return answer;
}

/// Executes for so many seconds; 0: once. Gives what a window must know of it.
Window WorkerSession::execute_for(HeldPrepared& held, SampleRequest request, double execution_ns,
                                  double seconds) {
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  Window window;
  window.only_executions = only_executions(request, buffers);
  if (!window.only_executions || seconds == 0) {
    buffers.restore_inouts(request.set);
    window.busy_ns = held.prepared->run(request.set);
    window.executions = 1;
    return window;
  }
  // As dense as can be: waiting between samples is not what is asked about.
  const double fitting = std::max(1.0, std::floor(pass_sample_ns / execution_ns));
  const std::uint32_t most = std::max(1U, watch_->device().max_batch);
  request.batch = fitting < most ? static_cast<std::uint32_t>(fitting) : most;
  request.count = static_cast<std::uint32_t>(
      std::clamp(std::floor(pass_sample_ns / (execution_ns * request.batch)), 1.0, 1000.0));
  window.batch = request.batch;
  const auto start = std::chrono::steady_clock::now();
  do {
    const SampleBlock block = held.prepared->sample(request);
    window.executions += static_cast<double>(block.ns.size()) * block.batch;
    for (const double ns : block.ns) window.busy_ns += ns * block.batch;
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds);
  return window;
}

json WorkerSession::observe(const json& arguments) {
  const auto choice = arguments.at("observe").get<ReadingSelection>();
  HeldPrepared& held = held_prepared(arguments);
  const SampleRequest request = sample_request_from_json(arguments.at("request"));
  const double execution_ns = std::max(1.0, arguments.at("execution_ns").get<double>());
  json answer = {{"metrics", json::object()}, {"absent", watch_->missing(choice, ReadingKind::pass)}};
  for (std::size_t pass = 0; pass < watch_->passes(choice); ++pass) {
    const double seconds = watch_->pass_seconds(choice, pass);
    watch_->begin_pass(choice, pass);
    const Window window = execute_for(held, request, execution_ns, seconds);
    Readings readings;
    const Observed observed = watch_->end(window, readings);
    for (const auto& [id, values] : readings.values) {
      if (!values.empty()) answer["metrics"][id] = values.front();
    }
    for (const auto& [id, reason] : observed.absent) answer["absent"][id] = reason;
  }
  return answer;
}

}  // namespace benchctl

// The verbs that execute what is prepared: check, sample, observe.
#include "worker/session.hpp"

#include "observe/machine_observers.hpp"
#include "worker/reference_file.hpp"
#include "worker/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

namespace benchctl {

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

CheckReply WorkerSession::carry_out(const verbs::Check& request) {
  processor_.look();
  HeldPrepared& held = prepared_.at(request.prepared);
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  // A turn may end before its first sample, and what earlier turns left is gone: one execution is judged.
  const bool execute = request.execute || held.used_sets.empty();
  std::vector<std::uint32_t> sets = held.used_sets;
  if (execute) {
    sets.resize(request.execute ? request.sets : 1);
    std::iota(sets.begin(), sets.end(), 0U);
  }
  CheckReply reply;
  for (const std::uint32_t set : sets) {
    if (execute) {
      // Elements that are never written stay NaN and get a reason of their own.
      buffers.poison_outputs(set, nan_byte);
      buffers.restore_inouts(set);
      const Stopwatch watch;
      reply.run_ns = held.prepared->run(set);
      reply.host_ns = watch.seconds() * 1e9;
    }
    reply.verification = verify(held, std::span(&set, 1), true);
    if (!request.dump.empty()) {
      std::vector<HeldReference>& references = problems_.at(held.problem).references;
      const Reference& reference = references.at(set % references.size()).load();
      dump_buffers(buffers.spec(), buffers.reader(set), buffers.known_outputs(reference), request.dump);
    }
    if (!reply.verification.ok) break;
    // Other poison could be read as a count.
    if (execute) reply.metrics = buffers.metrics(set);
  }
  return reply;
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

Verification WorkerSession::check_set(HeldPrepared& held, std::uint32_t set, const Reference& reference,
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
    outcome = buffers.check_outputs(set, held.precision, reference);
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
    outcome = check_set(held, set, reference, whole);
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

SampleReply WorkerSession::carry_out(const verbs::Sample& asked) {
  HeldPrepared& held = prepared_.at(asked.prepared);
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  SampleRequest request = asked.request;
  const bool discard_first = asked.discard_first && !in_place(buffers.spec());
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
  watch_->begin(asked.observe);
  const Stopwatch sampling;
  SampleReply reply{.block = take(held, request)};
  SampleBlock& block = reply.block;
  const double sampling_seconds = sampling.seconds();
  held.harm = restore_processor();
  reply.observed = watch_->end(block, only_executions(request, buffers));
  const auto& missing = watch_->missing(asked.observe, ReadingKind::block);
  reply.observed.absent.insert(missing.begin(), missing.end());
  if (discard_first && block.ns.size() > 1) {
    for (auto& [name, values] : block.readings) {
      if (values.size() == block.ns.size()) values.erase(values.begin());
    }
    block.ns.erase(block.ns.begin());
  }
  // What these samples left is compared where that is cheap, and at the point's end in any case.
  const double check_seconds = held.set_check_seconds * static_cast<double>(held.used_sets.size());
  if (!held.harm.empty() || check_seconds <= round_check_share * sampling_seconds) {
    reply.verification = verify(held, held.used_sets, false);
  }
  return reply;
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

PassReply WorkerSession::carry_out(const verbs::Observe& asked) {
  HeldPrepared& held = prepared_.at(asked.prepared);
  const double execution_ns = std::max(1.0, asked.execution_ns);
  PassReply reply{.absent = watch_->missing(asked.observe, ReadingKind::pass)};
  for (std::size_t pass = 0; pass < watch_->passes(asked.observe); ++pass) {
    const double seconds = watch_->pass_seconds(asked.observe, pass);
    watch_->begin_pass(asked.observe, pass);
    const Window window = execute_for(held, asked.request, execution_ns, seconds);
    Readings readings;
    const Observed observed = watch_->end(window, readings);
    for (const auto& [id, values] : readings.values) {
      if (!values.empty()) reply.metrics[id] = values.front();
    }
    for (const auto& [id, reason] : observed.absent) reply.absent[id] = reason;
  }
  return reply;
}

}  // namespace benchctl

// The verb `audit`: executions that nothing has been prepared for, each timed and its outputs compared.
#include "worker/session.hpp"

#include "observe/machine_observers.hpp"
#include "stats/summary.hpp"
#include "worker/reference_file.hpp"
#include "worker/stopwatch.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <span>

namespace benchctl {

namespace {

/// Behind the execution on fresh inputs, if there is time. It finds scratch memory as that left it: a
/// kernel that works in every second execution is caught by its outputs.
constexpr std::array next_kinds{AuditKind::again};
/// After the host's clock was asked.
constexpr std::array last_kinds{AuditKind::known, AuditKind::again, AuditKind::known};
/// With time for so many executions, one on known inputs may come first: nothing tells when an audit
/// begins.
constexpr double many_executions = 20;
/// Times the reported time.
constexpr double suspicious = 3;
/// Share of an execution beyond which a wait for a processor has held it up.
constexpr double short_wait = 0.1;
/// Waking threads takes less than a tenth of it.
constexpr double long_to_wake_ns = 1e6;
/// Samples of either length that the host's clock sees.
constexpr int host_repeats = 5;

bool chance() {
  static std::random_device device;  // opening it takes longer than an execution
  return device() % 2 == 0;
}

}  // namespace

/// The state of one audit.
struct WorkerSession::Audit {
  WorkerSession& session;
  HeldPrepared& held;
  HeldProblem& problem;
  const DeviceInfo& device;
  SampleRequest request;
  double seconds;
  double execution_ns;
  std::uint64_t fresh_seed;
  double host_seconds = 0;  ///< latest time per execution in a sample, by the host's clock
  double waited_ns = 0;     ///< time that the latest sample waited for busy processors
  double read_ns = 0;       ///< what reading a result took longer after the latest sample than once more
  Stopwatch watch = {};
  AuditReply reply = {};

  [[nodiscard]] ProblemBuffers& buffers() const { return *problem.buffers; }
  [[nodiscard]] std::uint32_t fresh_set() const { return buffers().has_spare() ? buffers().sets() : 0; }
  [[nodiscard]] std::uint32_t all_sets() const {
    return buffers().sets() + (buffers().has_spare() ? 1 : 0);
  }
  [[nodiscard]] bool has_time(double for_seconds) const { return watch.seconds() + for_seconds <= seconds; }
  [[nodiscard]] bool is_right() const { return reply.verification.ok; }
  [[nodiscard]] double busy_seconds() const { return std::max(execution_ns * 1e-9, host_seconds); }
  [[nodiscard]] double execution_seconds() const { return busy_seconds() + held.set_check_seconds; }
  /// By the host's clock the executions of a graph share the cost of its launch. End to end, each has a
  /// launch and the set of the request.
  [[nodiscard]] bool shares_launch() const {
    return request.basis == Basis::host_sync && request.launch == LaunchMode::graph && request.batch > 1;
  }
  SampleBlock sample(const SampleRequest& wanted);
  /// Emptying caches, and making room on the host for data of either end, takes a sample as long as some
  /// kernels.
  [[nodiscard]] bool is_watched_alone() const {
    return request.cache != CacheMode::cold && request.basis != Basis::end_to_end;
  }
  /// What the latest sample, of one execution, took the host beyond `ns`.
  [[nodiscard]] double beside_alone(double ns) const { return std::max(0.0, host_seconds * 1e9 - ns); }
  [[nodiscard]] double time_of_reading() const;
  void keep(AuditKind kind, double ns, double left_out_ns = 0);

  void wake_threads();
  void make_ready(std::uint32_t set, AuditKind kind);
  bool compare(std::uint32_t set, const Reference& reference);
  const Reference& known_reference(std::uint32_t set) {
    return problem.references.at(set % problem.references.size()).load();
  }
  void execute(AuditKind kind);
  void execute_all(std::span<const AuditKind> kinds);
  void execute_all_at_once();
  void watch_host();
  void watch_one_execution();
};

/// How long reading one element of an output takes: ns.
double WorkerSession::Audit::time_of_reading() const {
  const auto output = std::ranges::find_if(
      buffers().spec().buffers, [](const BufferSpec& buffer) { return buffer.role != BufferRole::in; });
  if (output == buffers().spec().buffers.end()) return 0;
  std::array<std::byte, 8> element;
  const auto index = static_cast<std::size_t>(output - buffers().spec().buffers.begin());
  const Stopwatch reading;
  buffers().device().read(0, index, 0, std::span(element).first(size_of(output->type)));
  return reading.seconds() * 1e9;
}

SampleBlock WorkerSession::Audit::sample(const SampleRequest& wanted) {
  session.run_queue_.begin();
  const Stopwatch taken;
  SampleBlock block = held.prepared->sample(wanted);
  const double sample_seconds = taken.seconds();
  // Work that the sample did not wait for falls into the first reading.
  const double first_ns = time_of_reading();
  read_ns = std::max(0.0, first_ns - time_of_reading());
  host_seconds = (sample_seconds + read_ns * 1e-9) / wanted.batch;
  waited_ns = session.run_queue_.waited_ns(gettid());
  return block;
}

/// Not all that threads waited need have delayed the execution. Where it is most of the time, nothing is
/// known but that the execution took no longer. Whoever had the processor meanwhile also used its caches,
/// so even a short wait may be the cause of a long time.
void WorkerSession::Audit::keep(AuditKind kind, double ns, double left_out_ns) {
  const double waited = is_processor(device) ? waited_ns : 0;
  reply.executions.push_back(
      {kind, waited > ns / 2 ? ns : ns - waited, waited > short_wait * ns, left_out_ns, waited_ns});
}

/// Threads of a processor fall asleep while inputs are drawn, and waking them may take a hundred times a
/// short kernel. An execution that does not count, on inputs that are known, wakes them.
void WorkerSession::Audit::wake_threads() {
  if (!is_processor(device) || !buffers().has_spare() || execution_ns > long_to_wake_ns) return;
  SampleRequest once = request;
  once.batch = once.count = 1;
  once.set = held.next_set % buffers().sets();
  buffers().restore_inouts(once.set);
  static_cast<void>(held.prepared->sample(once));
}

/// Before an execution: outputs and scratch memory hold nothing of use, inputs are in caches where samples
/// are hot.
void WorkerSession::Audit::make_ready(std::uint32_t set, AuditKind kind) {
  if (request.cache == CacheMode::hot && buffers().spec().bytes() <= device.last_level_cache_bytes) {
    buffers().touch_inputs(set);
  }
  buffers().poison_outputs(set);
  buffers().restore_inouts(set);
  if (kind != AuditKind::again && kind != AuditKind::kept) held.prepared->reset_scratch();
}

bool WorkerSession::Audit::compare(std::uint32_t set, const Reference& reference) {
  reply.verification = session.check_set(held, set, reference, false);
  return reply.verification.ok;
}

void WorkerSession::Audit::execute(AuditKind kind) {
  const bool fresh = kind == AuditKind::fresh || kind == AuditKind::kept || kind == AuditKind::repeated;
  const std::uint32_t set = fresh ? fresh_set() : held.next_set % buffers().sets();
  const std::uint64_t known_seed = buffers().seed(set);
  if (fresh) {
    buffers().draw_inputs(set, fresh_seed);
  } else {
    held.next_set = set + 1;
  }
  if (kind == AuditKind::rewritten) buffers().rewrite_inputs(set);
  if (fresh) wake_threads();
  make_ready(set, kind);
  SampleRequest once = request;
  once.batch = once.count = 1;
  once.sets = all_sets();
  once.set = set;
  const double ns = sample(once).ns.at(0);
  keep(kind, ns, is_watched_alone() ? beside_alone(ns) : 0);
  compare(set, fresh ? problem.fresh.load() : known_reference(set));
  // Where inputs seem to decide on the time, do they do so again? And do known ones, if just written?
  const bool slow = kind == AuditKind::fresh && ns > suspicious * execution_ns;
  if (slow && is_right()) execute(AuditKind::repeated);
  if (fresh && !buffers().has_spare()) buffers().draw_inputs(set, known_seed);
  if (slow && is_right() && is_processor(device)) execute(AuditKind::rewritten);
}

void WorkerSession::Audit::execute_all(std::span<const AuditKind> kinds) {
  for (const AuditKind kind : kinds) {
    if (!is_right() || !has_time(busy_seconds())) return;
    execute(kind);
  }
}

/// One sample that executes once on every set. Where these share a launch among fewer than the point's
/// samples do, it is compared with an equal sample on what lies there: it counts as the reported time,
/// times their ratio.
void WorkerSession::Audit::execute_all_at_once() {
  SampleRequest once = request;
  once.count = 1;
  once.sets = all_sets();
  once.batch = std::min(all_sets(), device.max_batch);
  once.set = fresh_set();
  double share = 1;
  if (shares_launch()) {
    std::vector<double> usual;
    for (int repeat = 0; repeat < host_repeats; ++repeat) usual.push_back(sample(once).ns.at(0));
    share = execution_ns / std::max(1.0, *std::ranges::min_element(usual));
  }
  buffers().draw_inputs(fresh_set(), fresh_seed);
  for (std::uint32_t set = 0; set < all_sets(); ++set) make_ready(set, AuditKind::fresh);
  keep(AuditKind::known, share * sample(once).ns.at(0));
  for (std::uint32_t i = 0; i < once.batch; ++i) {
    const std::uint32_t set = set_of(once, i);
    if (!compare(set, set == fresh_set() ? problem.fresh.load() : known_reference(set))) return;
  }
}

/// One more execution in full caches, where the first could not be compared with the host's clock.
void WorkerSession::Audit::watch_one_execution() {
  if (is_watched_alone() || request.basis == Basis::end_to_end) return;
  SampleRequest once = request;
  once.batch = once.count = 1;
  once.cache = CacheMode::hot;
  const double ns = sample(once).ns.at(0);
  keep(AuditKind::again, ns, beside_alone(ns));
}

void WorkerSession::Audit::watch_host() {
  SampleRequest timed = request;
  timed.count = 1;
  const std::uint32_t most =
      request.cache == CacheMode::cold ? std::min(request.sets, device.max_batch) : device.max_batch;
  std::uint32_t many = std::min(std::max(2U, request.batch), most);
  // Comparing outputs may have used up the time: these executions have as much of their own.
  const Stopwatch own;
  const auto has_time_for_round = [&] { return own.seconds() + 1.5 * many * busy_seconds() <= seconds; };
  while (many > 2 && !has_time_for_round()) many = std::max(2U, many / 2);
  const std::uint32_t few = many / 2;
  if (few == 0 || !has_time_for_round()) return watch_one_execution();
  // What a sample took beyond its executions. Whatever holds up an execution is in both and drops out.
  std::vector<double> beside_few;
  std::vector<double> beside_many;
  std::vector<double> few_at_least;  // without what may be waits for a processor
  std::vector<double> many_at_least;
  std::vector<double> claimed;
  std::vector<double> reads;
  for (int repeat = 0; repeat < host_repeats && (repeat == 0 || has_time_for_round()); ++repeat) {
    for (const std::uint32_t batch : {few, many}) {
      timed.batch = batch;
      const double ns = sample(timed).ns.at(0);
      const double beside = batch * (host_seconds * 1e9 - ns);
      (batch == few ? beside_few : beside_many).push_back(beside);
      (batch == few ? few_at_least : many_at_least).push_back(beside - waited_ns);
      if (batch == few) continue;
      reads.push_back(read_ns);
      claimed.push_back(ns);
    }
  }
  const auto further = [&](const std::vector<double>& of_many, const std::vector<double>& of_few) {
    return (stats::median(of_many) - stats::median(of_few)) / (many - few);
  };
  reply.host = {.claimed_ns = stats::median(claimed),
                .left_out_ns = further(beside_many, beside_few),
                .waited_ns = further(beside_many, many_at_least),
                .unwaited_ns = further(many_at_least, few_at_least),
                .read_ns = stats::median(reads) / many};
}

AuditReply WorkerSession::carry_out(const verbs::Audit& asked) {
  HeldPrepared& held = prepared_.at(asked.prepared);
  HeldProblem& problem = problems_.at(held.problem);
  if (problem.fresh_seed != asked.seed) {
    problem.fresh_seed = asked.seed;
    problem.fresh = {asked.reference, {}};
  }
  Audit audit{.session = *this,
              .held = held,
              .problem = problem,
              .device = watch_->device(),
              .request = asked.request,
              .seconds = asked.seconds,
              .execution_ns = asked.execution_ns,
              .fresh_seed = asked.seed};
  audit.reply.verification.ok = true;
  const bool restores = in_place(problem.buffers->spec());
  const bool can_be_timed_alone =
      audit.request.basis == Basis::end_to_end ||
      (!audit.shares_launch() && audit.execution_ns >= least_timer_steps * audit.device.timer_step_ns);
  const bool one_at_a_time =
      restores || !problem.buffers->has_spare() || audit.device.max_batch < 2 || can_be_timed_alone;
  if (!one_at_a_time) {
    audit.execute_all_at_once();
  } else {
    const bool known_first = audit.has_time(many_executions * audit.execution_seconds()) && chance();
    if (known_first) audit.execute(AuditKind::known);
    if (audit.is_right()) audit.execute(asked.keep_scratch ? AuditKind::kept : AuditKind::fresh);
    audit.execute_all(next_kinds);
  }
  if (audit.is_right() && !restores) audit.watch_host();
  if (one_at_a_time) audit.execute_all(last_kinds);
  return std::move(audit.reply);
}

}  // namespace benchctl

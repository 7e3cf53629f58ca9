// `sampling`: do samples come as requested? `timing`: are the times times? Bounds are wide and the shortest
// of many samples is taken, so that a busy machine breaks none of them; a unit that is wrong, a batch that
// is not divided by, a clock that does not run are off by factors.
#include "conformance/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace benchctl::conformance {

namespace {

class CountingHook final : public SampleHook {
 public:
  void begin() override { ++begun; }
  void end() override { ++ended; }
  std::size_t begun = 0;
  std::size_t ended = 0;
};

/// What every backend must be able to do.
bool is_plain(const SampleRequest& request) {
  return request.cache == CacheMode::hot && request.launch == LaunchMode::stream &&
         request.basis == Basis::device;
}

void check_block(const SampleBlock& block, const SampleRequest& request, const CountingHook& hook) {
  want(block.ns.size() == request.count,
       fmt::format("{} samples were asked for, {} came", request.count, block.ns.size()));
  want(block.batch == request.batch,
       fmt::format("a batch of {} was asked for, the block says {}", request.batch, block.batch));
  for (const double ns : block.ns) {
    want(std::isfinite(ns) && ns > 0, fmt::format("a sample is {} ns", ns));
  }
  for (const auto& [name, values] : block.readings) {
    want(values.size() == 1 || values.size() == block.ns.size(),
         fmt::format("reading '{}' has {} values for {} samples; one a sample, or a single one", name,
                     values.size(), block.ns.size()));
  }
  want(!block.gated || request.basis == Basis::device,
       "it says `gated` for times of the host's clock, which always include launches");
  want(hook.begun == hook.ended && (hook.begun == 0 || hook.begun == request.count),
       fmt::format("the hook was called for {} beginnings and {} ends of {} samples; call it for every "
                   "sample or for none",
                   hook.begun, hook.ended, request.count));
}

void take(Subject& subject, const Case& one, SampleRequest request) {
  Ready ready(subject, one, 2);
  ready.check("before samples");
  request.sets = 2;
  CountingHook hook;
  request.hook = &hook;
  SampleBlock block;
  bool refused = false;
  std::string why;
  try {
    block = ready.prepared().sample(request);
  } catch (const Failure& failure) {
    if (failure.kind() != FailureKind::unsupported || is_plain(request)) throw;
    refused = true;
    why = failure.what();
  }
  if (!refused) check_block(block, request, hook);
  ready.check(refused ? "after samples were refused" : "after samples were taken");
  if (refused) throw NotPossible("refused: " + why);
}

/// Units of cost (operations and bytes) of an execution that takes many times what a launch does.
constexpr double long_cost = 16e6;
constexpr double long_cost_gpu = 256e6;
constexpr double short_cost = 20e3;
constexpr std::uint64_t most_bytes = 512U << 20;
constexpr std::uint32_t repetitions = 15;
/// Times that a pair which looks wrong is measured again.
constexpr int most_repetitions = 20;
/// What hundreds of times the work must add at least: more than two looks at a clock differ by, less than
/// any device needs for it.
constexpr double least_difference_ns = 100;
/// An empty kernel is a launch, and no launch takes so long.
constexpr double longest_launch_ns = 5e6;
constexpr int spin_us = 500;

double work_of(const Workload& workload, const ProblemSpec& problem) {
  return workload.cost(problem.parameters).work();
}

/// One variant at two sizes.
struct Pair {
  Case shorter;
  Case longer;
};

/// Doubles every size of a problem until it costs enough.
std::optional<Pair> pair_of(Subject& subject, const Case& typical) {
  const Workload& workload = *Workloads::built_in().find(typical.variant->workload);
  const double wanted = subject.device().type == DeviceType::gpu ? long_cost_gpu : long_cost;
  for (const ParameterInfo& parameter : workload.parameters()) {
    if (parameter.is_text) continue;
    std::optional<Case> shorter;
    for (std::int64_t size = 16; size <= (std::int64_t{1} << 26); size *= 2) {
      Case one = typical;
      try {
        Parameters given;
        for (const ParameterInfo& other : workload.parameters()) {
          if (other.is_text) given[other.name] = typical.problem.parameters.at(other.name);
        }
        given[parameter.name] = size;
        one.problem = workload.problem(complete_parameters(workload, given), typical.problem.layout);
      } catch (const std::exception&) {
        continue;  // no such problem
      }
      if (one.problem.bytes() > most_bytes || !subject.obstacle_to(one).empty()) continue;
      const double work = work_of(workload, one.problem);
      if (work <= short_cost) shorter = one;
      if (shorter && work >= wanted) return Pair{*shorter, one};
    }
  }
  return std::nullopt;
}

/// The first variant that can be made long enough; those of a workload whose cost is not its size come
/// last.
std::optional<Pair> find_pair(Subject& subject) {
  for (const Case& one : subject.typical()) {
    if (one.variant->vendor || in_place(one.problem)) continue;
    if (std::optional<Pair> pair = pair_of(subject, one)) return pair;
  }
  return std::nullopt;
}

/// Made ready and executed once.
Ready warm(Subject& subject, const Case& one) {
  Ready made(subject, one);
  made.check("before samples");
  return made;
}

struct Timed {
  double shortest_ns = std::numeric_limits<double>::infinity();
  double shortest_wall_ns = std::numeric_limits<double>::infinity();  ///< one execution's part of a call
  double largest_share = 0;  ///< time that samples report over the time that passed
};

/// Takes samples one by one and looks at the clock on the wall.
Timed measure(Ready& ready, std::uint32_t batch, std::uint32_t times = repetitions) {
  Timed timed;
  for (std::uint32_t i = 0; i < times; ++i) {
    SampleRequest request;
    request.batch = batch;
    const auto start = std::chrono::steady_clock::now();
    const SampleBlock block = ready.prepared().sample(request);
    const double wall =
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    want(!block.ns.empty(), "no sample was returned");
    timed.shortest_ns = std::min(timed.shortest_ns, block.ns[0]);
    timed.shortest_wall_ns = std::min(timed.shortest_wall_ns, wall / batch);
    timed.largest_share = std::max(timed.largest_share, block.ns[0] * batch / wall);
  }
  return timed;
}

/// Not by the noise of the clock: of 20 ns for nothing one reading in some is 30.
bool takes_longer(double long_ns, double short_ns) {
  return long_ns >= 1.5 * short_ns && long_ns - short_ns >= least_difference_ns;
}

void longer_takes_longer(Subject& subject, const Pair& pair) {
  Ready shorter = warm(subject, pair.shorter);
  Ready longer = warm(subject, pair.longer);
  double short_ns = measure(shorter, 1).shortest_ns;
  double long_ns = measure(longer, 1).shortest_ns;
  // Threads that wait for one another take milliseconds for nothing while something else holds a processor.
  // Sooner or later they have them all for one short sample; a time that does not depend on the work never
  // gets shorter.
  for (int again = 0; again < most_repetitions && !takes_longer(long_ns, short_ns); ++again) {
    short_ns = std::min(short_ns, measure(shorter, 1).shortest_ns);
    long_ns = std::min(long_ns, measure(longer, 1).shortest_ns);
  }
  want(
      takes_longer(long_ns, short_ns),
      fmt::format("{} takes {:.0f} ns and {} takes {:.0f} ns: hundreds of times the work must take longer. "
                  "Does it wait for the end of the work?",
                  pair.shorter.label(), short_ns, pair.longer.label(), long_ns));
}

void fits_the_wall(Subject& subject, const Pair& pair) {
  Ready ready = warm(subject, pair.longer);
  const Timed timed = measure(ready, 1);
  // The clocks of device and host may differ a little; nothing makes a sample longer than the call.
  want(timed.largest_share <= 1.1,
       fmt::format("a sample says {:.1f} times what passed on the clock while it was taken: are these "
                   "nanoseconds of one execution?",
                   timed.largest_share));
  constexpr double least_share = 1e-3;
  want(timed.shortest_ns >= least_share * timed.shortest_wall_ns,
       fmt::format("the shortest sample says {:.1f} ns, the shortest call took {:.0f} ns: are these "
                   "nanoseconds?",
                   timed.shortest_ns, timed.shortest_wall_ns));
}

void divides_by_batch(Subject& subject, const Pair& pair) {
  constexpr std::uint32_t batch = 16;
  if (subject.device().max_batch < batch) throw NotPossible("the device takes no batches of 16");
  Ready ready = warm(subject, pair.longer);
  const double alone = measure(ready, 1).shortest_ns;
  const Timed batched = measure(ready, batch, 5);
  // Held against the clock, not against one alone: sixteen in a row are interrupted where one is not.
  if (batched.largest_share > 1.5) {
    throw Broken(
        fmt::format("{} in batches of {}: a sample times the batch is {:.1f} times what passed; samples "
                    "are times of one execution, divided by the batch",
                    pair.longer.label(), batch, batched.largest_share));
  }
  const double together = batched.shortest_ns;
  if (together * 5 < alone) {
    throw Broken(fmt::format("{} in batches of {} takes {:.0f} ns, alone {:.0f} ns: are all {} executed?",
                             pair.longer.label(), batch, together, alone, batch));
  }
}

/// What reading one element of the result takes: ns.
double time_of_reading(Ready& ready, const ProblemSpec& problem) {
  const auto output = std::ranges::find_if(
      problem.buffers, [](const BufferSpec& buffer) { return buffer.role != BufferRole::in; });
  std::array<std::byte, 8> element;
  const auto start = std::chrono::steady_clock::now();
  ready.buffers().device().read(0, static_cast<std::size_t>(output - problem.buffers.begin()), 0,
                                std::span(element).first(size_of(output->type)));
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// Work that a sample has not waited for falls into the first reading of a result: it takes longer than the
/// second one.
void waits_for_its_work(Subject& subject, const Case& one) {
  constexpr double least_late_ns = 10e3;
  Ready ready = warm(subject, one);
  SampleRequest request;
  request.batch = std::min(16U, std::max(1U, subject.device().max_batch));
  double late_ns = std::numeric_limits<double>::infinity();
  double sample_ns = 0;
  for (std::uint32_t i = 0; i < repetitions && late_ns > least_late_ns; ++i) {
    const SampleBlock block = ready.prepared().sample(request);
    const double first_ns = time_of_reading(ready, one.problem);
    late_ns = std::min(late_ns, first_ns - time_of_reading(ready, one.problem));
    for (const double ns : block.ns) sample_ns = std::max(sample_ns, ns * block.batch);
  }
  want(late_ns <= std::max(least_late_ns, sample_ns),
       fmt::format("its samples do not wait for their work: {} executions take {:.0f} ns as it says, and "
                   "the first reading of a result takes {:.0f} ns longer than the second. Wait for the "
                   "device before the second time stamp",
                   request.batch, sample_ns, late_ns));
}

Case spin(const VariantInfo& variant, int duration_us) {
  const Workload& workload = *Workloads::built_in().find("spin");
  return {&variant,
          workload.problem(complete_parameters(workload, {{"duration_us", std::int64_t{duration_us}}}), ""),
          defaults_of(variant)};
}

const VariantInfo& any_spinner(Subject& subject) {
  for (const char* name : {"clock", "loop"}) {
    const VariantInfo* variant = subject.entry().find_variant("spin", name);
    if (variant != nullptr && subject.obstacle_to(spin(*variant, 0)).empty()) return *variant;
  }
  throw NotPossible("the plugin has no variant clock or loop of workload spin for this device");
}

double shortest_spin(Subject& subject, const Case& one) {
  Ready ready = warm(subject, one);
  return measure(ready, 1, 40).shortest_ns;
}

void empty_is_short(Subject& subject) {
  const double ns = shortest_spin(subject, spin(any_spinner(subject), 0));
  want(ns <= longest_launch_ns,
       fmt::format("the empty kernel takes {:.0f} ns at best: what else is in the sample?", ns));
}

void known_duration(Subject& subject) {
  const VariantInfo* clock = subject.entry().find_variant("spin", "clock");
  if (clock == nullptr || !subject.obstacle_to(spin(*clock, spin_us)).empty()) {
    throw NotPossible("the plugin has no variant clock of workload spin for this device");
  }
  constexpr double expected = spin_us * 1e3;
  const double ns = shortest_spin(subject, spin(*clock, spin_us));
  // At least that long by the device's clock; at best hardly longer, the launch included.
  if (ns < 0.95 * expected || ns > 2 * expected + longest_launch_ns) {
    throw Broken(fmt::format("a kernel that runs for {:.0f} ns by its own clock takes {:.0f} ns at best",
                             expected, ns));
  }
}

}  // namespace

void check_sampling(Subject& subject, Trials& trials) {
  for (const Case& one : subject.typical()) {
    const std::uint32_t batch = in_place(one.problem) || subject.device().max_batch < 2 ? 1 : 2;
    const auto sample = [&](CacheMode cache, LaunchMode launch, Basis basis) {
      SampleRequest request;
      request.cache = cache;
      request.launch = launch;
      request.basis = basis;
      request.batch = batch;
      request.count = in_place(one.problem) ? 1 : 3;
      trials.add(
          fmt::format("{}, {} {} {}", one.label(), to_string(cache), to_string(launch), to_string(basis)),
          [&subject, one, request] { take(subject, one, request); });
    };
    using enum CacheMode;
    using enum Basis;
    for (const Basis basis : {device, host_sync, end_to_end}) sample(hot, LaunchMode::stream, basis);
    for (const CacheMode cache : {cold, rotate}) sample(cache, LaunchMode::stream, device);
    for (const CacheMode cache : {hot, cold}) sample(cache, LaunchMode::graph, device);
    if (!subject.full()) break;
  }
}

void check_timing(Subject& subject, Trials& trials) {
  if (subject.device().type == DeviceType::simulator) {
    trials.skip("times", "times of a simulator mean nothing");
    return;
  }
  const auto pair = std::make_shared<std::optional<Pair>>();
  const auto on_pair = [&](const std::string& what, void (*trial)(Subject&, const Pair&)) {
    trials.add(what, [&subject, pair, trial] {
      if (!*pair) *pair = find_pair(subject);
      if (!*pair) throw NotPossible("no variant can be given work that takes long enough");
      trial(subject, **pair);
    });
  };
  on_pair("longer work takes longer", longer_takes_longer);
  on_pair("samples fit into the time that passes", fits_the_wall);
  on_pair("a batch is divided by", divides_by_batch);
  // The one that forgets to wait need not be the first.
  for (const Case& one : typical_cases(subject.cases())) {
    if (in_place(one.problem)) continue;
    trials.add(one.label() + ", waits for its work", [&subject, one] {
      const std::optional<Pair> sizes = pair_of(subject, one);
      if (!sizes) throw NotPossible("it cannot be given work that takes long enough");
      waits_for_its_work(subject, sizes->longer);
    });
  }
  trials.add("an empty launch is short", [&] { empty_is_short(subject); });
  trials.add("a known duration comes out", [&] { known_duration(subject); });
}

}  // namespace benchctl::conformance

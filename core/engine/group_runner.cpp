// The way of a group, from its references to who is the fastest. Three phases, a type each:
//
//   Prepare   plan: what is compiled and sent for each point. make_references: float64, from the cache or a
//             worker. compile: kernels, in processes beside.
//             each: opens the device, uploads the problem, compiles and binds a variant, verifies it, and
//             hands it over: first those that need no compiler.
//   Rounds    cover: warms up, and samples it once, so that it has a time whatever comes. take: every open
//             point once a round, in an order drawn anew. Its rules (engine/round_rules.hpp) say who
//             leaves: whoever is shown slower, or in paired rounds all, once the ratios are known.
//   Conclude  all: outputs verified again, audit, median and range, the result with what roofs say of it,
//             stored once. compare: who is the fastest of each device.
//
// The way of one sample, in MeasuredGroup::sample:
//
//   PointSampler::next  how many executions make a sample (batch), how many samples are taken at once
//   (count).
//                     Before the first round it warms up: longer batches until one lasts long enough, then
//                     until samples neither fall nor rise.
//   verbs::Sample     WorkerSession in the lane's worker: poison outputs, begin readings of the machine,
//                     Prepared::sample, end readings; the first sample is left out where it is cheap;
//                     outputs are verified where that is cheap.
//   Prepared::sample  In the plugin, per sample: empty the cache (cold), close the gate, behind which
//                     launches queue up, start event, `batch` launches on sets of buffers in turn, stop
//                     event, open the gate, wait. The time between the events over `batch` is the sample.
//   accept            Is it a time at all? Else the point fails.
//   append_samples    Into the store, before anything else is asked for.
//   sampler.accept    The stop rule looks: target reached, or a cap?
#include "engine/measured_group.hpp"

namespace benchctl {

namespace {

double sampling_seconds(const MeasuredGroup& group) {
  double sum = 0;
  for (const ActivePoint& active : group.points) sum += active.entry->spent_seconds;
  return sum;
}

/// Everything from opened devices to the last round, in worker processes that know nothing of the points.
void run_replicate(MeasuredGroup& group, Prepare& prepare, Conclude& conclude) {
  Rounds rounds(group);
  prepare.each([&](ActivePoint& ready) { rounds.cover(ready); });
  rounds.begin();
  prepare.compute_ahead();
  do {
    rounds.take();
  } while (!conclude.all());
  group.end_replicate();
}

}  // namespace

void run_group(RunContext& run, const Group& points, const Turn& turn) {
  MeasuredGroup group(run, points, turn);
  if (group.points.empty()) return;
  const double start = run.budget.now();
  const double spent = sampling_seconds(group);
  Prepare prepare(group);
  Conclude conclude(group);
  group.resume();
  prepare.plan();
  if (prepare.make_references()) {
    prepare.compile();
    while (group.replicate < group.replicates && !run.budget.must_stop())
      run_replicate(group, prepare, conclude);
  }
  conclude.compare();
  const double overhead =
      run.budget.now() - start - group.compile_seconds - (sampling_seconds(group) - spent);
  for (ActivePoint& active : group.points) active.entry->overhead_seconds = overhead / group.replicates;
}

}  // namespace benchctl

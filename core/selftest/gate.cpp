// Does the time of an empty kernel contain the latency of its launch? It must not: everything of a sample
// is queued before the device is let go. The host's clock around launch and synchronisation shows what that
// latency is. And a driver may only seem to hold a queue, and hand over one launch after the other when it
// is let go: then kernels shorter than a launch take all the same time in a batch, however long they are.
#include "selftest/checks.hpp"

#include "report/format.hpp"

#include <fmt/format.h>

namespace benchctl::selftest {

namespace {

/// Largest share of the host's time (for launching an empty kernel and waiting for it) that its device
/// time may have. Without a gate the two are nearly one. With it the device's is what starting and ending a
/// kernel takes, a fifth to a half of the host's, in a batch as well.
constexpr double largest_share = 0.75;

/// A kernel that is shorter than what drivers need for a launch, and how far from it the difference to the
/// empty one may be in a batch, where the end of one overlaps the start of the next.
constexpr int short_us = 4;
constexpr double difference_tolerance = 0.25;

std::string gate_config(const std::string& variant, bool batched, bool full) {
  return config_of("gate",
                   fmt::format("target = 0.02\nwarmup_seconds = 0.05\nmax_seconds = {}\n{}",
                               full ? 4.0 : 0.5, batched ? "" : "min_sample_us = 0\nmin_timer_steps = 0"),
                   fmt::format(R"(workload = "spin"
variants = ["{}"]
[sweep.parameters]
duration_us = [{}]
basis = ["device"{}]
)",
                               variant, batched ? fmt::format("0, {}", short_us) : "0",
                               batched ? "" : ", \"host_sync\""));
}

/// The note of a point without a gate says why; a device without a queue of launches needs none.
CaseResult without_gate(CaseResult result, const Result& device) {
  result.outcome = Outcome::not_possible;
  result.found = "not gated";
  const std::string& note = device.measurement->note;
  result.note = note.find("not gated") != std::string::npos ? note : "kernels are called here, not queued";
  return result;
}

/// `alone_ns`: the host's time for one launch.
CaseResult check_empty(const std::vector<Result>& points, bool batched, double alone_ns) {
  CaseResult result;
  result.what = batched ? "the empty kernel in batches" : "the empty kernel, one at a time";
  result.expected = fmt::format("below {:g} of the host's time", largest_share);
  const Result* device = find_spin(points, 0, Basis::device);
  if (device == nullptr || !(alone_ns > 0))
    return not_possible(result.what, why_not(points), result.expected);
  if (!device->measurement->gated) return without_gate(std::move(result), *device);
  const double device_ns = device->measurement->median_ns;
  if (batched) result.what += fmt::format(" of {}", device->measurement->batch);
  result.found = fmt::format("{} of {}", format_duration(device_ns), format_duration(alone_ns));
  result.outcome = device_ns < largest_share * alone_ns ? Outcome::pass : Outcome::fail;
  result.figures = {{"device_ns", device_ns}, {"host_sync_ns", alone_ns}};
  return result;
}

/// A batch of kernels that end by a clock.
CaseResult check_short(const std::vector<Result>& points) {
  const Result* empty = find_spin(points, 0, Basis::device);
  const Result* longer = find_spin(points, short_us, Basis::device);
  const bool timed = empty != nullptr && longer != nullptr;
  CaseResult result =
      compare_times(fmt::format("a kernel of {} µs in batches, the empty one's time taken away", short_us),
                    1e3 * short_us, 1e3 * short_us * difference_tolerance,
                    timed ? longer->measurement->median_ns - empty->measurement->median_ns : no_number);
  return timed ? result : not_possible(result.what, why_not(points), result.expected);
}

}  // namespace

std::vector<CaseResult> check_gate(Bench& bench, const Lane& lane) {
  std::vector<CaseResult> results;
  double alone_ns = 0;
  for (const bool batched : {false, true}) {
    const auto& [variant, points] = bench.spin(
        lane, [&](const std::string& name) { return gate_config(name, batched, bench.full()); },
        [](const auto& measured) { return find_spin(measured, 0, Basis::device) != nullptr; });
    const Result* host = find_spin(points, 0, Basis::host_sync);
    if (!batched && host != nullptr) alone_ns = host->measurement->median_ns;
    results.push_back(check_empty(points, batched, alone_ns));
    if (results.back().outcome == Outcome::not_possible) break;
    if (batched && variant == "clock") results.push_back(check_short(points));
  }
  return results;
}

}  // namespace benchctl::selftest

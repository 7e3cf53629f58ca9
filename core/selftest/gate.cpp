// Does the time of an empty kernel contain the latency of its launch? It must not: everything of a sample
// is queued before the device is let go. The host's clock around launch and synchronisation shows what that
// latency is. And a driver may only seem to hold a queue, and hand over one launch after the other when it
// is let go: then kernels shorter than a launch take all the same time in a batch, however long they are.
#include "selftest/checks.hpp"

#include "report/format.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

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

std::string config(const char* variant, bool batched, bool full) {
  return fmt::format(R"(
[experiment]
name = "selftest_gate"
roofs = "none"
[measure]
target = 0.02
warmup_seconds = 0.1
max_seconds = {}
{}
[[sweep]]
workload = "spin"
variants = ["{}"]
[sweep.parameters]
duration_us = [{}]
basis = ["device"{}]
)",
                     full ? 4.0 : 1.0, batched ? "" : "min_sample_us = 0\nmin_timer_steps = 0", variant,
                     batched ? fmt::format("0, {}", short_us) : "0", batched ? "" : ", \"host_sync\"");
}

const StoredPoint* timed(const std::vector<StoredPoint>& points, Basis basis, int duration_us = 0) {
  return find_point(points, [&](const StoredPoint& point) {
    return point.measurement && point.row.point.measure.basis == basis &&
           number_of(point, "duration_us") == duration_us;
  });
}

/// The note of a point without a gate says why; a device without a queue of launches needs none.
Finding without_gate(Finding finding, const StoredPoint& device) {
  finding.outcome = Outcome::not_possible;
  finding.found = "not gated";
  const std::string& note = device.measurement->note;
  finding.note = note.find("not gated") != std::string::npos ? note : "kernels are called here, not queued";
  return finding;
}

/// `alone_ns`: the host's time for one launch.
Finding judge(const std::vector<StoredPoint>& points, bool batched, double alone_ns) {
  Finding finding;
  finding.what = batched ? "the empty kernel in batches" : "the empty kernel, one at a time";
  finding.expected = fmt::format("below {:g} of the host's time", largest_share);
  const StoredPoint* device = timed(points, Basis::device);
  if (device == nullptr || !(alone_ns > 0)) {
    finding.outcome = Outcome::not_possible;
    finding.note = why_not(points);
    return finding;
  }
  if (!device->measurement->gated) return without_gate(std::move(finding), *device);
  const double device_ns = device->measurement->median_ns;
  if (batched) finding.what += fmt::format(" of {}", device->measurement->batch);
  finding.found = fmt::format("{} of {}", format_duration(device_ns), format_duration(alone_ns));
  finding.outcome = device_ns < largest_share * alone_ns ? Outcome::pass : Outcome::fail;
  finding.figures = {{"device_ns", device_ns}, {"host_sync_ns", alone_ns}};
  return finding;
}

/// Judges a batch of kernels that end by a clock.
Finding judge_short(const std::vector<StoredPoint>& points) {
  Finding finding;
  const StoredPoint* empty = timed(points, Basis::device);
  const StoredPoint* longer = timed(points, Basis::device, short_us);
  const double expected = 1e3 * short_us;
  const double allowed = difference_tolerance * expected;
  finding.what = fmt::format("a kernel of {} µs in batches, the empty one's time taken away", short_us);
  finding.expected = fmt::format("{} ± {}", format_duration(expected), format_duration(allowed));
  if (empty == nullptr || longer == nullptr) {
    finding.outcome = Outcome::not_possible;
    finding.note = why_not(points);
    return finding;
  }
  const double found = longer->measurement->median_ns - empty->measurement->median_ns;
  finding.found = format_duration(found);
  finding.outcome = std::abs(found - expected) <= allowed ? Outcome::pass : Outcome::fail;
  finding.figures = {{"expected_ns", expected}, {"allowed_ns", allowed}, {"found_ns", found}};
  return finding;
}

}  // namespace

std::vector<Finding> check_gate(Bench& bench, const Lane& lane) {
  std::vector<Finding> findings;
  double alone_ns = 0;
  for (const bool batched : {false, true}) {
    std::vector<StoredPoint> points;
    bool by_clock = false;
    for (const char* variant : {"clock", "loop"}) {
      if (timed(points, Basis::device) != nullptr || !bench.has_variant(lane, "spin", variant)) continue;
      by_clock = variant == std::string_view("clock");
      points = bench.measure(config(variant, batched, bench.full()), lane);
    }
    const StoredPoint* host = timed(points, Basis::host_sync);
    if (!batched && host != nullptr) alone_ns = host->measurement->median_ns;
    findings.push_back(judge(points, batched, alone_ns));
    if (findings.back().outcome == Outcome::not_possible) break;
    if (batched && by_clock) findings.push_back(judge_short(points));
  }
  return findings;
}

}  // namespace benchctl::selftest

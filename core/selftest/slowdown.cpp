// Is a variant that takes 2 % longer found to be slower? Its kernel does nothing for 2 % longer.
#include "selftest/checks.hpp"

#include "selftest/pairs.hpp"

#include <fmt/format.h>

namespace benchctl::selftest {

namespace {

constexpr int planted_thousandths = 20;
constexpr double asked = 0.95;

std::string slowdown_config(const std::string& variant, std::size_t comparisons, double seconds) {
  std::string durations;
  for (std::size_t i = 0; i < comparisons; ++i) durations += fmt::format("{}, ", 50 + i);
  return fmt::format(R"(
[experiment]
name = "selftest_slowdown"
roofs = "none"
[measure]
mode = "paired"
warmup_seconds = 0.05
max_seconds = {}
[[sweep]]
workload = "spin"
variants = ["{}"]
[sweep.parameters]
duration_us = [{}]
stretch = [0, {}]
)",
                     seconds, variant, durations, planted_thousandths);
}

}  // namespace

std::vector<Finding> check_slowdown(Bench& bench, const Lane& lane) {
  const std::size_t comparisons = bench.full() ? 100 : 20;
  std::vector<StoredPoint> points;
  PairCounts counts;
  for (const char* variant : {"clock", "loop"}) {
    if (counts.all > 0 || !bench.has_variant(lane, "spin", variant)) continue;
    points = bench.measure(slowdown_config(variant, comparisons, bench.full() ? 2.0 : 0.5), lane);
    counts = count_pairs(points);
  }
  Finding finding;
  finding.what = fmt::format("a slowdown of {:g} %", planted_thousandths / 10.0);
  finding.expected = fmt::format("found in at least {:g} %", 100 * asked);
  if (counts.all == 0) {
    finding.outcome = Outcome::not_possible;
    finding.note = why_not(points);
    return {finding};
  }
  finding.found = share_text(counts.slower, counts.all);
  const bool enough = static_cast<double>(counts.slower) >= asked * static_cast<double>(counts.all);
  finding.outcome = enough ? Outcome::pass : Outcome::fail;
  finding.note = fmt::format("ratios {:.4f} to {:.4f}", counts.least_ratio, counts.largest_ratio);
  finding.figures = figures_of(counts);
  return {finding};
}

}  // namespace benchctl::selftest

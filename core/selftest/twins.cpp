// Is one variant, measured twice under two names, called different? An interval of 95 % is allowed to say
// so in one comparison of twenty.
#include "selftest/checks.hpp"

#include "selftest/pairs.hpp"

#include <fmt/format.h>

namespace benchctl::selftest {

namespace {

std::string config(std::size_t comparisons, double seconds) {
  std::string lengths;
  // Some thousand elements: a kernel of real work, short enough for many comparisons.
  for (std::size_t i = 0; i < comparisons; ++i) lengths += fmt::format("{}, ", 65536 + 1024 * i);
  return fmt::format(R"(
[experiment]
name = "selftest_twins"
roofs = "none"
[measure]
mode = "paired"
warmup_seconds = 0.05
max_seconds = {}
[[sweep]]
workload = "vector_add"
variants = ["plain"]
[sweep.parameters]
n = [{}]
twin = [1, 2]
)",
                     seconds, lengths);
}

}  // namespace

std::vector<Finding> check_twins(Bench& bench, const Lane& lane) {
  constexpr double allowed = 0.05;
  const std::size_t comparisons = bench.full() ? 200 : 12;
  const std::vector<StoredPoint> points =
      bench.measure(config(comparisons, bench.full() ? 1.0 : 0.5), lane);
  const PairCounts counts = count_pairs(points);

  Finding finding;
  finding.what = "one variant under two names";
  finding.expected = fmt::format("called different in at most {:g} %", 100 * allowed);
  if (counts.all == 0) {
    finding.outcome = Outcome::not_possible;
    finding.note = why_not(points);
    return {finding};
  }
  finding.found = share_text(counts.different, counts.all);
  // Too many, unless chance would bring as many once in a hundred times.
  finding.outcome =
      at_least_so_many(counts.different, counts.all, allowed) < rare ? Outcome::fail : Outcome::pass;
  finding.note = fmt::format("{} beyond the practical threshold; ratios {:.4f} to {:.4f}", counts.judged,
                             counts.least_ratio, counts.largest_ratio);
  finding.figures = figures_of(counts);
  return {finding};
}

}  // namespace benchctl::selftest

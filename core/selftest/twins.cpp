// Is one variant, measured twice under two names, called different? An interval of 95 % is allowed to say
// so in one comparison of twenty.
#include "selftest/checks.hpp"

#include "selftest/pairs.hpp"

#include <fmt/format.h>

namespace benchctl::selftest {

namespace {

std::string config(std::size_t comparisons, double seconds, std::uint32_t replicates) {
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
replicates = {}
[[sweep]]
workload = "vector_add"
variants = ["plain"]
[sweep.parameters]
n = [{}]
twin = [1, 2]
)",
                     seconds, replicates, lengths);
}

Finding compared(Bench& bench, const Lane& lane, std::size_t comparisons, double seconds,
                 std::uint32_t replicates) {
  constexpr double allowed = 0.05;
  const std::vector<StoredPoint> points = bench.measure(config(comparisons, seconds, replicates), lane);
  const PairCounts counts = count_pairs(points);

  Finding finding;
  finding.what = "one variant under two names";
  if (replicates > 1) finding.what += fmt::format(", {} processes each", replicates);
  // Over processes the small differences that each has for good count, too: the verdict decides.
  finding.expected = fmt::format("called {} in at most {:g} %",
                                 replicates > 1 ? "faster or slower" : "different", 100 * allowed);
  if (counts.all == 0) {
    finding.outcome = Outcome::not_possible;
    finding.note = why_not(points);
    return finding;
  }
  const std::size_t hits = replicates > 1 ? counts.judged : counts.different;
  finding.found = share_text(hits, counts.all);
  // Too many, unless chance would bring as many once in a hundred times.
  finding.outcome = at_least_so_many(hits, counts.all, allowed) < rare ? Outcome::fail : Outcome::pass;
  finding.note = fmt::format("{} beyond the practical threshold; ratios {:.4f} to {:.4f}", counts.judged,
                             counts.least_ratio, counts.largest_ratio);
  finding.figures = figures_of(counts);
  return finding;
}

}  // namespace

std::vector<Finding> check_twins(Bench& bench, const Lane& lane) {
  const bool full = bench.full();
  return {compared(bench, lane, full ? 200 : 12, full ? 1.0 : 0.5, 1),
          compared(bench, lane, full ? 40 : 6, full ? 2.5 : 1.0, 5)};
}

}  // namespace benchctl::selftest

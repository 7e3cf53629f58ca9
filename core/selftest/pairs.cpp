// Is one variant, measured twice under two names, called different? An interval of 95 % is allowed to say
// so in one comparison of twenty. Is a variant found to be slower whose kernel does nothing for 2 % longer?
#include "selftest/checks.hpp"
#include "stats/ratio.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>
#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchctl::selftest {

namespace {

constexpr int planted_thousandths = 20;
constexpr double asked = 0.95;
constexpr double allowed = 0.05;

std::string paired(double seconds, std::uint32_t replicates = 1) {
  return fmt::format("mode = \"paired\"\nwarmup_seconds = 0.05\nmax_seconds = {}\nreplicates = {}", seconds,
                     replicates);
}

std::string numbers_from(std::size_t first, std::size_t step, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}, ", first + step * i);
  return text;
}

std::string twins_config(std::size_t comparisons, double seconds, std::uint32_t replicates) {
  // Some thousand elements: a kernel of real work, short enough for many comparisons.
  return config_of("twins", paired(seconds, replicates),
                   fmt::format(R"(workload = "vector_add"
variants = ["plain"]
[sweep.parameters]
n = [{}]
twin = [1, 2]
)",
                               numbers_from(65536, 1024, comparisons)));
}

std::string slowdown_config(const std::string& variant, std::size_t comparisons, double seconds) {
  return config_of("slowdown", paired(seconds),
                   fmt::format(R"(workload = "spin"
variants = ["{}"]
[sweep.parameters]
duration_us = [{}]
stretch = [0, {}]
)",
                               variant, numbers_from(50, 1, comparisons), planted_thousandths));
}

/// What `hits` of the comparisons say, which must be so many.
CaseResult conclude(CaseResult result, const PairCounts& counts, std::size_t hits, bool holds) {
  result.found = share_text(hits, counts.all);
  result.outcome = holds ? Outcome::pass : Outcome::fail;
  result.note += fmt::format("ratios {:.4f} to {:.4f}", counts.least_ratio, counts.largest_ratio);
  result.figures = {{"comparisons", static_cast<double>(counts.all)},
                    {"different", static_cast<double>(counts.different)},
                    {"judged_different", static_cast<double>(counts.with_verdict)},
                    {"judged_slower", static_cast<double>(counts.slower)},
                    {"least_ratio", counts.least_ratio},
                    {"largest_ratio", counts.largest_ratio}};
  return result;
}

CaseResult compare_twins(Bench& bench, const Lane& lane, std::size_t comparisons, double seconds,
                         std::uint32_t replicates) {
  const std::vector<Result> points = bench.measure(twins_config(comparisons, seconds, replicates), lane);
  const PairCounts counts = count_pairs(points);
  CaseResult result;
  result.what = "one variant under two names";
  if (replicates > 1) result.what += fmt::format(", {} processes each", replicates);
  // Over processes the small differences that each has for good count, too: the verdict decides.
  result.expected = fmt::format("called {} in at most {:g} %",
                                replicates > 1 ? "faster or slower" : "different", 100 * allowed);
  if (counts.all == 0) return not_possible(result.what, why_not(points), result.expected);
  const std::size_t hits = replicates > 1 ? counts.with_verdict : counts.different;
  result.note = fmt::format("{} beyond the practical threshold; ", counts.with_verdict);
  // Too many, unless chance would bring as many once in a hundred times.
  return conclude(result, counts, hits, at_least_so_many(hits, counts.all, allowed) >= rare);
}

}  // namespace

PairCounts count_pairs(const std::vector<Result>& points) {
  PairCounts counts;
  counts.least_ratio = std::numeric_limits<double>::infinity();
  std::vector<double> widths;
  for (const Result& point : points) {
    const Comparison* baseline = point.compared(Against::baseline);
    if (baseline == nullptr || std::isnan(baseline->ci_low)) continue;
    const Comparison& comparison = *baseline;
    ++counts.all;
    counts.different += comparison.ci_low > 1 || comparison.ci_high < 1 ? 1 : 0;
    const bool slower = comparison.verdict == stats::Verdict::slower;
    counts.slower += slower ? 1 : 0;
    counts.with_verdict += slower || comparison.verdict == stats::Verdict::faster ? 1 : 0;
    counts.least_ratio = std::min(counts.least_ratio, comparison.time_ratio);
    counts.largest_ratio = std::max(counts.largest_ratio, comparison.time_ratio);
    widths.push_back(comparison.ci_high - comparison.ci_low);
  }
  if (!widths.empty()) counts.usual_width = stats::median(widths);
  return counts;
}

double at_least_so_many(std::size_t hits, std::size_t trials, double probability) {
  if (hits == 0) return 1;
  const boost::math::binomial_distribution<double> chance(static_cast<double>(trials), probability);
  return boost::math::cdf(boost::math::complement(chance, static_cast<double>(hits) - 1));
}

std::string share_text(std::size_t hits, std::size_t trials) {
  return fmt::format("{} of {} ({:.1f} %)", hits, trials,
                     100 * static_cast<double>(hits) / static_cast<double>(trials));
}

std::vector<CaseResult> check_twins(Bench& bench, const Lane& lane) {
  const bool full = bench.full();
  std::vector<CaseResult> results{compare_twins(bench, lane, full ? 200 : 12, full ? 1.0 : 0.2, 1)};
  // Less than forty comparisons over processes would say nothing, and every process opens the device.
  if (full) results.push_back(compare_twins(bench, lane, 40, 2.5, 5));
  return results;
}

std::vector<CaseResult> check_slowdown(Bench& bench, const Lane& lane) {
  const std::vector<Result> points =
      bench
          .spin(
              lane,
              [&](const std::string& variant) {
                return slowdown_config(variant, bench.full() ? 100 : 12, bench.full() ? 2.0 : 0.3);
              },
              [](const auto& measured) { return count_pairs(measured).all > 0; })
          .points;
  const PairCounts counts = count_pairs(points);
  CaseResult result;
  result.what = fmt::format("a slowdown of {:g} %", planted_thousandths / 10.0);
  result.expected = fmt::format("found in at least {:g} %", 100 * asked);
  if (counts.all == 0) return {not_possible(result.what, why_not(points), result.expected)};
  // Too few, unless chance would miss as many once in a hundred times.
  const bool found = at_least_so_many(counts.all - counts.slower, counts.all, 1 - asked) >= rare;
  if (!found && counts.usual_width > planted_thousandths / 1000.0) {
    return {not_possible(result.what,
                         fmt::format("the samples scatter: ratios are known to ±{:.1f} % here; {} found",
                                     50 * counts.usual_width, share_text(counts.slower, counts.all)),
                         result.expected)};
  }
  return {conclude(result, counts, counts.slower, found)};
}

}  // namespace benchctl::selftest

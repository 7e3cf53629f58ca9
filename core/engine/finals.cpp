#include "engine/finals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

/// A time in the unit that suits it.
std::string duration(double ns) {
  if (ns < 1e3) return fmt::format("{:.3g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.4g} µs", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.4g} ms", ns / 1e6);
  return fmt::format("{:.4g} s", ns / 1e9);
}

bool differs(const Comparison& comparison) {
  return comparison.verdict == "faster" || comparison.verdict == "slower";
}

}  // namespace

std::vector<std::size_t> choose_finalists(std::vector<Tried> tried) {
  std::ranges::stable_sort(tried, {}, &Tried::median_ns);
  std::vector<std::size_t> chosen;
  if (tried.size() < 2) return chosen;
  for (const Tried& point : tried) {
    if (chosen.size() == max_finalists) break;
    if (chosen.size() >= 2 && point.median_ns > tried.front().median_ns * (1 + finals_margin)) break;
    chosen.push_back(point.index);
  }
  return chosen;
}

std::string to_text(const SearchSummary& summary) {
  std::string text = fmt::format("search of {}: {} of {:.6g} points tried ({}, seed {})", summary.label,
                                 summary.tried, summary.space, summary.strategy, summary.seed);
  if (summary.best.empty()) return text + "\n  nothing could be measured";
  // The finalist whose ratio to their baseline is least; the baseline's own is 1.
  const StoredPoint* winner = nullptr;
  double least = 1;
  for (const StoredPoint& final : summary.finals) {
    if (!final.measurement) continue;
    const double ratio = final.comparison ? final.comparison->time_ratio : 1;
    if (winner == nullptr || (final.comparison && differs(*final.comparison) && ratio < least)) {
      winner = &final;
      least = std::min(least, ratio);
    }
  }
  if (winner == nullptr)
    return text + fmt::format("\n  best: {}, {}", summary.best, duration(summary.best_ns));
  text += fmt::format("\n  best: {}, {} (re-measured in turns with the next best)",
                      winner->row.point.label(), duration(winner->measurement->median_ns));
  for (const StoredPoint& final : summary.finals) {
    if (&final == winner || !final.comparison || !final.measurement) continue;
    const Comparison& comparison = *final.comparison;
    const bool tie = !differs(comparison);
    text += fmt::format("\n  {}: {}, {}", tie ? "tie" : comparison.verdict, final.row.point.label(),
                        duration(final.measurement->median_ns));
    text += fmt::format(", {:.3f} times the time of the first by samples [{:.3f}, {:.3f}]",
                        comparison.time_ratio, comparison.ci_low, comparison.ci_high);
  }
  return text;
}

}  // namespace benchctl

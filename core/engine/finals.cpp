#include "engine/finals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl {

std::string duration(double ns) {
  if (ns < 1e3) return fmt::format("{:.3g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.4g} µs", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.4g} ms", ns / 1e6);
  return fmt::format("{:.4g} s", ns / 1e9);
}

namespace {

bool differs(const Comparison& comparison) {
  return comparison.verdict == "faster" || comparison.verdict == "slower";
}

/// Of a finalist's time to their baseline's; the baseline's own is 1.
double ratio_of(const StoredPoint& final) { return final.comparison ? final.comparison->time_ratio : 1; }

/// Can the two not be told apart? Each was compared with the baseline: with one of them being that, its
/// verdict says so; otherwise two intervals of ratios that overlap do.
bool tied(const StoredPoint& final, const StoredPoint& winner) {
  if (!winner.comparison) return !final.comparison || !differs(*final.comparison);
  if (!final.comparison) return !differs(*winner.comparison);
  const Comparison& a = *final.comparison;
  const Comparison& b = *winner.comparison;
  return !(a.ci_low > b.ci_high || b.ci_low > a.ci_high);  // without an interval: nothing is known
}

std::string ratio_text(const StoredPoint& final) {
  if (!final.comparison) return {};
  const Comparison& comparison = *final.comparison;
  if (!std::isfinite(comparison.ci_low)) {
    return fmt::format(", ratio {:.3f} (too few rounds for an interval)", comparison.time_ratio);
  }
  return fmt::format(", ratio {:.3f} [{:.3f}, {:.3f}]", comparison.time_ratio, comparison.ci_low,
                     comparison.ci_high);
}

}  // namespace

std::vector<std::size_t> choose_finalists(std::vector<Tried> tried, const FinalsRule& rule) {
  std::ranges::stable_sort(tried, {}, &Tried::median_ns);
  std::vector<std::size_t> chosen;
  if (tried.size() < rule.least) return chosen;
  for (const Tried& point : tried) {
    if (chosen.size() == rule.most) break;
    const bool close = point.median_ns <= tried.front().median_ns * (1 + rule.margin);
    if (chosen.size() >= rule.least && !close) break;
    chosen.push_back(point.index);
  }
  return chosen;
}

std::string to_text(const SearchSummary& summary) {
  std::string text = fmt::format("search of {}: {} of {:.6g} points tried ({}, seed {})", summary.label,
                                 summary.tried, summary.space, summary.strategy, summary.seed);
  if (summary.best.empty()) return text + "\n  nothing could be measured";
  const StoredPoint* baseline = nullptr;
  const StoredPoint* winner = nullptr;
  for (const StoredPoint& final : summary.finals) {
    if (!final.measurement) continue;
    if (!final.comparison && baseline == nullptr) baseline = &final;
    const bool better = final.comparison && differs(*final.comparison) && ratio_of(final) < 1;
    if (winner == nullptr || (better && ratio_of(final) < ratio_of(*winner))) winner = &final;
  }
  if (winner == nullptr) {
    return text + fmt::format("\n  best: {}, {}", summary.best, duration(summary.best_ns));
  }
  text +=
      fmt::format("\n  best: {}, {}", winner->row.point.label(), duration(winner->measurement->median_ns));
  if (baseline == nullptr) return text;
  for (const StoredPoint& final : summary.finals) {
    if (&final == winner || !final.measurement) continue;
    text += fmt::format("\n  {}: {}, {}{}", tied(final, *winner) ? "tie" : "slower",
                        final.row.point.label(), duration(final.measurement->median_ns), ratio_text(final));
  }
  return text + fmt::format("\n  measured again in turns; ratios are to the time of {}",
                            baseline->row.point.label());
}

}  // namespace benchctl

#include "engine/finals.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

std::string duration(double ns) {
  if (ns < 1e3) return fmt::format("{:.3g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.4g} µs", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.4g} ms", ns / 1e6);
  return fmt::format("{:.4g} s", ns / 1e9);
}

namespace {

/// Is it the fastest of the finalists, as the run has stored it? They are points of one device and problem.
bool is_fastest(const Result& final) {
  const Comparison* best = final.compared(Against::best);
  return best != nullptr && best->reference == final.row.ordinal;
}

bool is_tied(const Result& final) {
  const Comparison* best = final.compared(Against::best);
  return best != nullptr && best->verdict != "slower";
}

std::string ratio_text(const Result& final) {
  const Comparison* best = final.compared(Against::best);
  if (best == nullptr) return {};
  return fmt::format(", {:.3f} times as long [{:.3f}, {:.3f}]", best->time_ratio, best->ci_low,
                     best->ci_high);
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
  const auto winner = std::ranges::find_if(summary.finals, is_fastest);
  if (winner == summary.finals.end()) {
    return text + fmt::format("\n  best: {}, {}", summary.best, duration(summary.best_ns));
  }
  text +=
      fmt::format("\n  best: {}, {}", winner->row.point.label(), duration(winner->measurement->median_ns));
  if (summary.finals.size() < 2) return text;
  for (const Result& final : summary.finals) {
    if (&final == &*winner || !final.measurement) continue;
    text += fmt::format("\n  {}: {}, {}{}", is_tied(final) ? "tie" : "slower", final.row.point.label(),
                        duration(final.measurement->median_ns), ratio_text(final));
  }
  return text + "\n  measured again in turns; ratios are by common rounds";
}

}  // namespace benchctl

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
  return best != nullptr && best->verdict != stats::Verdict::slower;
}

std::string ratio_text(const Result& final) {
  const Comparison* best = final.compared(Against::best);
  if (best == nullptr) return {};
  return fmt::format(", {:.3f} times as long [{:.3f}, {:.3f}]", best->time_ratio, best->ci_low,
                     best->ci_high);
}

/// `energy 0.0125 J`, or a time.
std::string figure_text(const MetricInfo& metric, double figure) {
  if (metric.id == "median_ns") return duration(figure);
  if (metric.unit == "ns") return fmt::format("{} {}", metric.id, duration(figure));
  return fmt::format("{} {:.4g}{}{}", metric.id, figure, metric.unit.empty() ? "" : " ", metric.unit);
}

std::string text_by_cost(const SearchSummary& summary) {
  std::string text;
  for (const auto& [cost, final] : by_cost(summary)) {
    text += fmt::format("\n  {}: {}, {}, {}", text.empty() ? "best" : "then", final->row.point.label(),
                        figure_text(*summary.objective, final->metric(summary.objective->id)),
                        duration(median_of(*final)));
  }
  return text;
}

}  // namespace

std::vector<std::pair<double, const Result*>> by_cost(const SearchSummary& summary) {
  std::vector<std::pair<double, const Result*>> finals;
  for (const Result& final : summary.finals) {
    const auto cost = cost_of(final, *summary.objective);
    if (cost && may_win(final)) finals.emplace_back(*cost, &final);
  }
  std::ranges::stable_sort(finals, {}, &std::pair<double, const Result*>::first);
  return finals;
}

std::vector<std::size_t> choose_finalists(std::vector<Tried> tried, const FinalsRule& rule) {
  std::ranges::stable_sort(tried, {}, &Tried::cost);
  std::vector<std::size_t> chosen;
  if (tried.size() < rule.least) return chosen;
  for (const Tried& point : tried) {
    if (chosen.size() == rule.most) break;
    const bool close = point.cost <= tried.front().cost * (1 + rule.margin);
    if (chosen.size() >= rule.least && !close) break;
    chosen.push_back(point.index);
  }
  return chosen;
}

std::string to_text(const SearchSummary& summary) {
  std::string text = fmt::format("search of {}: {} of {:.6g} points tried ({}, seed {})", summary.label,
                                 summary.tried, summary.space, summary.strategy, summary.seed);
  if (summary.best.empty()) {
    return text + (is_for_time(summary)
                       ? "\n  nothing could be measured"
                       : fmt::format("\n  no point has a figure of '{}'", summary.objective->id));
  }
  if (!is_for_time(summary)) {
    if (const std::string finals = text_by_cost(summary); !finals.empty()) return text + finals;
  }
  const auto winner = std::ranges::find_if(summary.finals, is_fastest);
  if (winner == summary.finals.end() || !is_for_time(summary)) {
    return text + fmt::format("\n  best: {}, {}", summary.best,
                              figure_text(*summary.objective, summary.best_figure));
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

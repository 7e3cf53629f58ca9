#include "engine/finals.hpp"

#include "model/figures.hpp"
#include "store/rank.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

std::string ratio_text(const Result& final) {
  const Comparison* best = final.compared(Against::best);
  if (best == nullptr) return {};
  return fmt::format(", {:.3f} times as long [{:.3f}, {:.3f}]", best->time_ratio, best->ci_low,
                     best->ci_high);
}

/// `energy 0.0125 J`, or a time.
std::string figure_text(const MetricInfo& metric, double figure) {
  if (metric.id == "median_ns") return format_duration(figure);
  if (metric.unit == "ns") return fmt::format("{} {}", metric.id, format_duration(figure));
  return fmt::format("{} {:.4g}{}{}", metric.id, figure, metric.unit.empty() ? "" : " ", metric.unit);
}

}  // namespace

std::vector<Rival> rivals_of(const SearchSummary& summary) {
  std::vector<const Result*> rows;
  for (const Result& final : summary.finals) rows.push_back(&final);
  const std::vector<Rank> ranks = rank(rows);  // they are points of one device and problem
  const bool by_time = is_for_time(summary);
  std::vector<Rival> rivals;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto cost = cost_of(*rows[i], *summary.objective);
    if (!cost || !ranks[i].competes) continue;
    // Others may take as long as the fastest by common rounds.
    const auto place = by_time && ranks[i].best ? rivals.begin() : rivals.end();
    rivals.insert(place, {rows[i], by_time ? ranks[i].versus_best : *cost, ranks[i].ties});
  }
  std::ranges::stable_sort(rivals, {}, &Rival::ratio);
  const double least = rivals.empty() ? 1 : rivals.front().ratio;
  for (Rival& rival : rivals) rival.ratio = rival.ratio == least ? 1 : rival.ratio / least;
  return rivals;
}

std::vector<std::size_t> choose_finalists(const Costs& costs, const FinalsRule& rule) {
  std::vector<std::size_t> chosen;
  if (costs.size() < rule.least) return chosen;
  for (const auto& [cost, index] : costs) {
    const bool close = cost <= costs.front().first * (1 + rule.margin);
    if (chosen.size() == rule.most || (chosen.size() >= rule.least && !close)) break;
    chosen.push_back(index);
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
  const std::vector<Rival> rivals = rivals_of(summary);
  if (rivals.empty()) {
    return text + fmt::format("\n  best: {}, {}", summary.best,
                              figure_text(*summary.objective, summary.best_figure));
  }
  for (const Rival& rival : rivals) {
    const bool best = &rival == rivals.data();
    const std::string label = rival.result->point().label();
    const std::string time = format_duration(median_of(*rival.result));
    if (is_for_time(summary)) {
      text += fmt::format("\n  {}: {}, {}{}",
                          best         ? "best"
                          : rival.ties ? "tie"
                                       : "slower",
                          label, time, best ? "" : ratio_text(*rival.result));
    } else {
      text +=
          fmt::format("\n  {}: {}, {}, {}", best ? "best" : "then", label,
                      figure_text(*summary.objective, rival.result->metric(summary.objective->id)), time);
    }
  }
  const bool in_turns = is_for_time(summary) && rivals.size() > 1;
  return in_turns ? text + "\n  measured again in turns; ratios are by common rounds" : text;
}

}  // namespace benchctl

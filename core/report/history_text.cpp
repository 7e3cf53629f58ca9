#include "report/format.hpp"
#include "report/history_documents.hpp"
#include "report/point_words.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace benchctl {

namespace {

/// Heights by the logarithm of the medians, the lowest and the highest at the ends.
std::string bars(const HistorySeries& series) {
  static constexpr std::array<std::string_view, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::size_t widest = 40;
  const std::size_t from = series.points.size() > widest ? series.points.size() - widest : 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = from; i < series.points.size(); ++i) {
    low = std::min(low, std::log(series.points[i].median_ns));
    high = std::max(high, std::log(series.points[i].median_ns));
  }
  std::string text;
  for (std::size_t i = from; i < series.points.size(); ++i) {
    const double share = high > low ? (std::log(series.points[i].median_ns) - low) / (high - low) : 0.5;
    text += blocks[static_cast<std::size_t>(std::lround(share * 7))];
  }
  return text;
}

std::string run_name(const History& history, const HistoryPoint& point) {
  return fmt::format("run {}", to_number(history.runs[point.run].row.id));
}

std::string changes_cell(const History& history, const HistorySeries& series) {
  std::string text;
  for (const HistoryStep& step : series.steps) {
    text += fmt::format("{}{}: ×{}", text.empty() ? "" : "; ", run_name(history, series.points[step.at]),
                        format_significant(step.ratio, 4));
  }
  for (const HistoryDrift& drift : series.drifts) {
    text += fmt::format("{}drift: ×{}", text.empty() ? "" : "; ", format_significant(drift.ratio, 4));
  }
  for (const std::size_t place : series.disturbed) {
    text +=
        fmt::format("{}{} disturbed", text.empty() ? "" : "; ", run_name(history, series.points[place]));
  }
  return text;
}

std::string change_text(const HistorySeries& series) {
  if (series.points.size() < 2) return {};
  const std::string ratio = format_significant(series.change.ratio, 4);
  if (!series.change.interval.known()) return ratio;
  return fmt::format("{} [{}, {}]", ratio, format_significant(series.change.interval.low, 4),
                     format_significant(series.change.interval.high, 4));
}

std::string times(double ratio, const stats::Interval& interval) {
  return fmt::format("{} by ×{} [{}, {}]", ratio > 1 ? "slower" : "faster", format_significant(ratio, 4),
                     format_significant(interval.low, 4), format_significant(interval.high, 4));
}

/// Each step with its interval and what else changed, drifts, and runs that are far from their level.
std::string details(const History& history, const HistoryTextOptions& options) {
  std::string text;
  const std::string_view bullet = options.markdown ? "- " : "  ";
  for (const HistorySeries& series : history.series) {
    const std::string label = first_line_in(series.point.label(), options.markdown);
    for (const HistoryStep& step : series.steps) {
      const HistoryPoint& point = series.points[step.at];
      text += fmt::format("{}{}, {}: {}\n", bullet, label, run_name(history, point),
                          times(step.ratio, step.interval));
      for (const std::string& change : point.changes) {
        text += fmt::format("  {}{}\n", bullet, first_line_in(change, options.markdown));
      }
      if (point.changes.empty()) text += fmt::format("  {}nothing on record changed with it\n", bullet);
    }
    for (const HistoryDrift& drift : series.drifts) {
      text += fmt::format("{}{}, {} to {}: drifts, {}\n", bullet, label,
                          run_name(history, series.points[drift.from]),
                          run_name(history, series.points[drift.to]), times(drift.ratio, drift.interval));
    }
    for (const std::size_t place : series.disturbed) {
      const bool newest = place + 1 == series.points.size();
      text += fmt::format("{}{}, {}: {}, far from its level{}\n", bullet, label,
                          run_name(history, series.points[place]),
                          format_duration(series.points[place].median_ns),
                          newest ? "; if it is a step, three runs in a row will show it" : "");
    }
  }
  return text.empty() ? "" : (options.markdown ? "### Changes\n\n" : "changes\n") + text + '\n';
}

std::string changes_text(const History& history, const HistoryTextOptions& options) {
  // Most series of a lane say the same.
  std::map<std::pair<std::size_t, std::string>, bool> seen;
  for (const HistorySeries& series : history.series) {
    for (const HistoryPoint& point : series.points) {
      for (const std::string& change : point.changes) {
        bool& cut = seen[{point.run, change}];
        cut = cut || point.cut;
      }
    }
  }
  std::string text;
  for (const auto& [key, cut] : seen) {
    text += fmt::format(
        "{}run {}: {}{}\n", options.markdown ? "- " : "  ", to_number(history.runs[key.first].row.id),
        first_line_in(key.second, options.markdown), cut ? " (not comparable with the runs before)" : "");
  }
  return text.empty() ? ""
                      : (options.markdown ? "### Conditions\n\n" : "changed conditions\n") + text + '\n';
}

}  // namespace

std::string history_text(const History& history, const HistoryTextOptions& options) {
  if (history.series.empty()) return "no run has a time of such a point\n";
  TextTable table({{"workload"},
                   {"problem"},
                   {"variant"},
                   {"device"},
                   {"measured as"},
                   {"runs", true},
                   {"first", true},
                   {"newest", true},
                   {"newest / first", true},
                   {"trend"},
                   {"changes"}});
  PointWords words;
  for (const HistorySeries& series : history.series) words.add(series.point);
  for (const HistorySeries& series : history.series) {
    const Point& point = series.point;
    table.add(
        {first_line(point.workload), words.problem(point), words.variant(point), first_line(point.device),
         PointWords::measured_as(point), format_count(series.points.size()),
         format_duration(series.points.front().median_ns), format_duration(series.points.back().median_ns),
         change_text(series), options.bars ? bars(series) : "", changes_cell(history, series)},
        !series.steps.empty() || !series.drifts.empty());
  }
  std::string text = options.markdown ? "## History\n\n" : "";
  text += fmt::format("{} runs, from {} to {}\n\n", format_count(history.runs.size()),
                      first_line_in(history.runs.front().row.created_at, options.markdown),
                      first_line_in(history.runs.back().row.created_at, options.markdown));
  text += (options.markdown ? table.markdown() : table.text(options.colours, options.width)) + '\n';
  text += details(history, options) + changes_text(history, options);
  text +=
      history.tested == 0
          ? "Changes are looked for from six comparable runs on.\n"
          : fmt::format(
                "Changes: {} series tested. If runs do not depend on each other, at most 5 % of histories "
                "hold a false step, and as many a false drift. Changes of up to {} are not shown.\n",
                format_count(history.tested), format_percent(history.threshold));
  return fit_lines(text, options.width);
}

}  // namespace benchctl

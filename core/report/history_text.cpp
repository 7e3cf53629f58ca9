#include "report/format.hpp"
#include "report/history.hpp"
#include "report/point_names.hpp"
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

std::string newest_over_first(const HistorySeries& series) {
  if (series.points.size() < 2) return {};
  return format_significant(series.points.back().median_ns / series.points.front().median_ns, 4);
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
                   {"trend"}});
  PointWords words;
  for (const HistorySeries& series : history.series) words.add(series.point);
  for (const HistorySeries& series : history.series) {
    const Point& point = series.point;
    table.add({first_line(point.workload), words.problem(point), words.variant(point),
               first_line(point.device), PointWords::measured_as(point), format_count(series.points.size()),
               format_duration(series.points.front().median_ns),
               format_duration(series.points.back().median_ns), newest_over_first(series),
               options.bars ? bars(series) : ""});
  }
  std::string text = options.markdown ? "## History\n\n" : "";
  text += fmt::format("{} runs, from {} to {}\n\n", format_count(history.runs.size()),
                      first_line_in(history.runs.front().row.created_at, options.markdown),
                      first_line_in(history.runs.back().row.created_at, options.markdown));
  text += (options.markdown ? table.markdown() : table.text(options.colours, options.width)) + '\n';
  text += changes_text(history, options);
  return fit_lines(text, options.width);
}

}  // namespace benchctl

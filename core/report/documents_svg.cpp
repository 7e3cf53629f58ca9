// Times as one SVG picture: for documents that show results without scripts. Bars on linear axes, dots on
// logarithmic ones.
#include "report/answers.hpp"
#include "report/documents.hpp"
#include "report/format.hpp"
#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

namespace benchctl {

namespace {

constexpr double width = 900;
constexpr double margin = 20;
constexpr double row_height = 38;
constexpr double bar_height = 14;
constexpr std::size_t bars_shown = 24;
constexpr std::size_t problems_shown = 12;
/// Told apart in any kind of colour vision (after Okabe and Ito); every bar also names its device.
constexpr std::array<std::string_view, 8> colours{"#0072b2", "#d55e00", "#00805c", "#a63d86",
                                                  "#b07500", "#2a9fd6", "#5f5f5f", "#882255"};

class Picture {
 public:
  void text(double x, double y, std::string_view content, std::string_view style = "") {
    body_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, style, escaped_html(content));
  }
  void bar(double x, double y, double length, std::string_view colour) {
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "stroke=\"#1b1f24\"/>\n",
        x, y, std::max(length, 0.5), bar_height, colour);
  }
  void dot(double x, double y, std::string_view colour) {
    body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\" stroke=\"#1b1f24\"/>\n",
                         x, y, colour);
  }
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double thickness) {
    body_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"{}\"/>\n",
        x1, y1, x2, y2, colour, thickness);
  }
  [[nodiscard]] std::string finish(double height) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" width=\"{0}\" "
        "height=\"{1:.0f}\" "
        "font-family=\"system-ui, DejaVu Sans, sans-serif\" font-size=\"13\" fill=\"#1b1f24\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
        width, height, body_);
  }

 private:
  std::string body_;
};

/// Where a time stands: linear from zero, or by its logarithm where times span more than fifty times.
class TimeScale {
 public:
  TimeScale(double least, double most)
      : logarithmic_(most / least > 50), least_(std::max(least / 2, most * least_share)), most_(most) {}

  [[nodiscard]] double at(double ns) const {
    if (!(ns > 0)) return margin;
    const double share = logarithmic_ ? std::log(ns / least_) / std::log(most_ / least_) : ns / most_;
    return margin + std::clamp(share, 0.0, 1.0) * (width - 2 * margin);
  }
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }
  /// 1, 2 and 5 times powers of ten, few enough to be read.
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> all;
    const double from = logarithmic_ ? least_ : most_ / 12;
    const bool many = logarithmic_ && most_ / least_ > 300;
    for (double power = std::floor(std::log10(from)); power <= std::ceil(std::log10(most_)); ++power) {
      for (const double step : {1.0, 2.0, 5.0}) {
        const double tick = step * std::pow(10, power);
        if (tick >= from && tick <= most_ && (!many || step == 1)) all.push_back(tick);
      }
    }
    // Linear labels stand close to each other at the small end.
    if (!logarithmic_ && all.size() > 4) all.erase(all.begin(), all.end() - 4);
    return all;
  }

 private:
  /// Of the axis: what is shorter is drawn as if it took so long.
  static constexpr double least_share = 1e-12;
  bool logarithmic_;
  double least_;
  double most_;
};

/// `20 ms`: a round time without the zeros that stand for precision.
std::string tick_text(double ns) {
  const std::string text = format_duration(ns);
  const std::size_t space = text.find(' ');
  std::string number = text.substr(0, space);
  if (number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.ends_with('.')) number.pop_back();
  }
  return number + text.substr(space);
}

std::string bar_label(const Report& report, std::size_t index) {
  const ResultRow& row = report.rows[index];
  const RowPlace& place = report.places[index];
  const std::string_view mark = place.rank.best ? "★ " : place.rank.ties ? "= " : "";
  return fmt::format("{}{} · {} · {}{}", mark, first_line(variant_text(row)),
                     first_line(report.platforms[place.platform].label),
                     format_time(*row.stored.measurement),
                     place.older            ? " · of an older run"
                     : !place.rank.competes ? " · cannot win"
                                            : "");
}

/// What a store says may be no time that anything takes.
bool is_time(double ns) { return ns > 0 && std::isnormal(ns); }

/// The first by rank of each platform, variant and layout, by time; behind them those that do not compete.
std::vector<std::size_t> ways_of(const Report& report, const IdenticalProblem& comparison) {
  std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t> fastest;
  const auto by_rank = [&](std::size_t row) {
    const Rank& rank = report.places[row].rank;
    return std::tuple(!rank.competes, !rank.best, rank.place, median_of(report.rows[row]));
  };
  for (const std::size_t row : comparison.rows) {
    const Point& point = report.rows[row].point();
    if (point.expect == Expect::wrong || !is_time(median_of(report.rows[row]))) continue;
    const auto [place, fresh] =
        fastest.try_emplace({report.places[row].platform, point.variant, point.layout}, row);
    if (!fresh && by_rank(row) < by_rank(place->second)) place->second = row;
  }
  std::vector<std::size_t> rows;
  for (const auto& [key, row] : fastest) rows.push_back(row);
  std::ranges::sort(rows, {}, [&](std::size_t row) {
    return std::pair(!report.places[row].rank.competes, median_of(report.rows[row]));
  });
  return rows;
}

double draw(Picture& picture, const Report& report, const IdenticalProblem& comparison, double y) {
  std::vector<std::size_t> rows = ways_of(report, comparison);
  const std::size_t all = rows.size();
  if (all > bars_shown) rows.resize(bars_shown);
  picture.text(margin, y += 28, first_line(problem_text(comparison)),
               " font-weight=\"600\" font-size=\"15\"");
  double most = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t row : rows) {
    least = std::min(least, median_of(report.rows[row]));
    const Measurement& m = *report.rows[row].stored.measurement;
    for (const double end : {m.median_ns, range_of(m).high_ns}) {
      if (is_time(end)) most = std::max(most, end);
    }
  }
  const TimeScale scale(least, most);
  const double top = y + 8;
  const double bottom = top + static_cast<double>(rows.size()) * row_height;
  for (const double tick : scale.ticks()) {
    picture.line(scale.at(tick), top, scale.at(tick), bottom + 4, "#d0d7de", 1);
    picture.text(scale.at(tick), bottom + 18, tick_text(tick), " text-anchor=\"middle\" font-size=\"12\"");
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double row_y = top + static_cast<double>(i) * row_height;
    const Measurement& m = *report.rows[rows[i]].stored.measurement;
    const TimeRange range = range_of(m);
    const std::size_t platform = report.places[rows[i]].platform;
    const std::string_view colour = colours[platform % colours.size()];
    const double middle = row_y + 19 + bar_height / 2;
    // A length says nothing on a logarithmic axis.
    if (!scale.logarithmic()) picture.bar(margin, row_y + 19, scale.at(m.median_ns) - margin, colour);
    if (m.n_samples > 1) {
      picture.line(scale.at(range.low_ns), middle, scale.at(range.high_ns), middle, "#1b1f24", 3);
    }
    if (scale.logarithmic()) picture.dot(scale.at(m.median_ns), middle, colour);
    picture.text(margin + 2, row_y + 14, bar_label(report, rows[i]));
  }
  picture.text(
      width / 2, bottom + 38,
      fmt::format("median time ({}, cache {}, launch {}){}{}", to_string(comparison.basis),
                  to_string(comparison.cache), to_string(comparison.launch),
                  scale.logarithmic() ? ", logarithmic" : "",
                  all > rows.size() ? fmt::format("; the fastest {} of {}", rows.size(), all) : ""),
      " text-anchor=\"middle\" font-size=\"12\"");
  return bottom + 54;
}

}  // namespace

std::string report_svg(const Report& report, const DocumentOptions& options) {
  Picture picture;
  double y = 34;
  picture.text(margin, y, first_line(report_title(report, options.title)),
               " font-weight=\"700\" font-size=\"18\"");
  // What most devices have done says most.
  std::vector<const IdenticalProblem*> problems;
  for (const IdenticalProblem& comparison : report.comparisons) {
    if (!ways_of(report, comparison).empty()) problems.push_back(&comparison);
  }
  std::ranges::stable_sort(problems, std::greater<>(),
                           [](const IdenticalProblem* comparison) { return comparison->platforms.size(); });
  const std::size_t all = problems.size();
  if (all > problems_shown) problems.resize(problems_shown);
  for (const IdenticalProblem* comparison : problems) y = draw(picture, report, *comparison, y);
  y += 22;
  picture.text(
      margin, y,
      all == 0
          ? std::string("no point has a time")
          : "lines: the middle nine tenths of the samples; ★ the fastest of its device, = ties with it" +
                (all > problems.size() ? fmt::format("; {} of {} problems", problems.size(), all) : ""),
      " font-size=\"12\"");
  return picture.finish(y + 16);
}

}  // namespace benchctl

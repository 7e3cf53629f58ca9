#include "report/headline.hpp"

#include "report/answers.hpp"
#include "report/format.hpp"
#include "report/headline_rows.hpp"
#include "report/text_table.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

namespace benchctl {

namespace {

constexpr std::size_t devices_told = 8;

/// The rows of one variant and configuration on a device with most values of the axis, in the order of the
/// values.
RowNumbers longest_series(const HeadlineRows& rows, std::size_t platform) {
  std::map<std::string, std::map<Value, std::size_t, ValueOrder>> all;
  Names order;
  for (const std::size_t row : rows.on(platform)) {
    const auto value = rows.axis_value(row);
    if (!value || !rows.rank(row).competes) continue;
    const Point& point = rows.point(row);
    KeyText key;
    key.add(point.variant).add(point.layout).add(point.tunables).add(point.apart);
    for (const std::string& name : rows.varying) {
      if (name == rows.axis) continue;
      if (const auto own = value_on(point, name)) key.add(name).add(to_text(*own));
    }
    const std::string text = key.take();
    add_once(order, text);
    all[text].try_emplace(*value, row);
  }
  RowNumbers longest;
  for (const std::string& text : order) {
    const auto& own = all.at(text);
    const bool ours =
        !longest.empty() && rows.is_vendor(longest.front()) && !rows.is_vendor(own.begin()->second);
    if (own.size() < longest.size() || (own.size() == longest.size() && !ours)) continue;
    longest.clear();
    for (const auto& [value, row] : own) longest.push_back(row);
  }
  return longest;
}

/// Which figure tells how times go along a series: of equal work the time.
std::string quantity_of(const HeadlineRows& rows, const RowNumbers& series) {
  const auto cost_of = [&](std::size_t row) -> const Cost& { return rows.row(row).row.cost; };
  const Cost& first = cost_of(series.front());
  const auto all = [&](auto holds) {
    return std::ranges::all_of(series, [&](std::size_t row) { return holds(cost_of(row)); });
  };
  if (all([](const Cost& cost) { return cost.accesses > 0; })) return "access";
  if (all([&](const Cost& cost) {
        return cost.flops == first.flops && cost.bytes_read == first.bytes_read &&
               cost.bytes_written == first.bytes_written;
      })) {
    return "time";
  }
  if (all([](const Cost& cost) { return cost.flops > 0; })) return "gflops";
  return all([](const Cost& cost) { return cost.bytes_read + cost.bytes_written > 0; }) ? "gbytes" : "time";
}

std::string course_figure(const Result& row, const std::string& quantity) {
  if (quantity == "access") return format_duration(row.ns_per_access(), 3) + " per access";
  if (quantity == "gflops") return format_significant(row.gflops(), 3) + " GFLOP/s";
  if (quantity == "gbytes") return format_significant(row.gbytes_per_s(), 3) + " GB/s";
  return format_duration(median_of(row), 3);
}

void tell_course(const Report& report, const HeadlineRows& rows, Headline& headline) {
  const std::string axis = first_line(rows.axis);
  headline.about = rows.about("along " + axis);
  for (const std::size_t platform : rows.platforms()) {
    const RowNumbers series = longest_series(rows, platform);
    HeadlineLine line{.platform = platform, .device = rows.device(platform)};
    if (series.empty()) {
      line.answer = "no winner: " + why_none_wins(report, rows.on(platform));
      headline.lines.push_back(std::move(line));
      continue;
    }
    const std::string quantity = quantity_of(rows, series);
    if (headline.rows.empty()) headline.quantity = quantity;
    if (quantity == headline.quantity)
      headline.rows.insert(headline.rows.end(), series.begin(), series.end());
    const auto at = [&](std::size_t row) { return first_line(to_text(*rows.axis_value(row))); };
    const auto figure = [&](std::size_t row) { return course_figure(rows.row(row), quantity); };
    const std::string problem = rows.problem(series.front(), true);
    line.winner = series.front();
    line.answer = rows.variant(series.front()) + (problem.empty() ? "" : ", " + problem);
    line.time = fmt::format("{} at {} = {}", figure(series.front()), axis, at(series.front()));
    if (series.size() > 1) line.factors = fmt::format("{} at {}", figure(series.back()), at(series.back()));
    headline.lines.push_back(std::move(line));
  }
}

Headline headline_of(const Report& report, const std::string& title, RowNumbers numbers) {
  const HeadlineRows rows(report, title, std::move(numbers));
  Headline headline{.title = title, .workload = rows.point(rows.rows.front()).workload, .axis = rows.axis};
  if (rows.is_course) {
    tell_course(report, rows, headline);
  } else {
    tell_contests(report, rows, headline);
  }
  if (headline.lines.size() > devices_told) {
    headline.more.insert(headline.more.begin(),
                         fmt::format("and {} more devices below", headline.lines.size() - devices_told));
    headline.lines.resize(devices_told);
  }
  return headline;
}

/// An experiment does not ask about the workload that measures roofs beside others.
bool measures_roofs(const std::string& workload) {
  const Workload* found = Workloads::built_in().find(workload);
  return found != nullptr && found->measures_roofs();
}

/// `cuda:0: tile 32, 16.57 ms (16.56–16.59), 4 % faster than 16`
std::string sentence_of(const HeadlineLine& line) {
  std::string sentence = fmt::format("{}: {}", line.device, line.answer);
  for (const std::string* part : {&line.time, &line.factors}) {
    if (!part->empty()) sentence += ", " + *part;
  }
  return sentence;
}

}  // namespace

std::string Headline::asked() const {
  return question.empty() ? about : fmt::format("{}: {}", about, question);
}

std::string Headline::text() const {
  Names sentences;
  for (const HeadlineLine& line : lines) sentences.push_back(sentence_of(line));
  return fmt::format("{}{}{}.", asked(), question.empty() ? ": " : " ", fmt::join(sentences, "; "));
}

std::string headlines_markdown(std::span<const Headline> headlines) {
  std::string text;
  for (const Headline& headline : headlines) {
    text += markdown_list(headline.asked());
    for (const HeadlineLine& line : headline.lines) {
      text += "  " + markdown_list(sentence_of(line));
    }
    for (const std::string& more : headline.more) text += "  " + markdown_list(more);
  }
  return text;
}

std::vector<Headline> headlines_of(const Report& report) {
  Names titles;
  std::map<std::pair<std::size_t, std::size_t>, RowNumbers> rows;  // by title and workload
  Names workloads;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const RowPlace& place = report.places[i];
    if (place.comparison == RowPlace::none || place.older) continue;
    const auto number = [](Names& names, const std::string& name) {
      add_once(names, name);
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    rows[{number(titles, report.runs[place.run].title()),
          number(workloads, report.rows[i].point().workload)}]
        .push_back(i);
  }
  const bool alone = workloads.size() == 1;
  std::vector<Headline> headlines;
  for (auto& [key, own] : rows) {
    if (!alone && measures_roofs(workloads[key.second])) continue;
    headlines.push_back(headline_of(report, titles[key.first], std::move(own)));
  }
  return headlines;
}

}  // namespace benchctl

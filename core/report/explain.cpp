#include "report/explain.hpp"

#include "model/visible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace benchctl {

namespace {

constexpr std::size_t topic_columns = 14;

/// Columns that a text of UTF-8 takes: one for each code point.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Lines of at most `width` columns; a line break in the text stays one.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!result.empty()) result += '\n' + std::string(indent, ' ');
    std::size_t column = indent;
    std::istringstream words(line);
    bool first = true;
    for (std::string word; words >> word;) {
      const std::size_t length = columns_of(word);
      if (!first && column + 1 + length > width) {
        result += '\n' + std::string(indent, ' ');
        column = indent;
      } else if (!first) {
        result += ' ';
        ++column;
      }
      result += word;
      column += length;
      first = false;
    }
  }
  return result;
}

}  // namespace

PointStory point_story(const Store& store, const PointChoice& choice) {
  PointStory story{choice, {}, store.samples(choice.row().stored.row.id)};
  for (RoofRow& roof : store.roofs(choice.run.id)) {
    if (roof.lane == choice.point().device) story.roofs.push_back(std::move(roof));
  }
  return story;
}

std::vector<Finding> explain(const PointStory& story) {
  std::vector<Finding> findings = explain_outcome(story);
  std::ranges::move(explain_speed(story), std::back_inserter(findings));
  return findings;
}

std::string explanation_text(const PointChoice& choice, const std::vector<Finding>& findings,
                             std::size_t width) {
  std::string text = fmt::format("point {}  {}\n", choice.name(), visible(choice.point().label()));
  std::string_view last;
  for (const Finding& finding : findings) {
    text +=
        fmt::format("{:<{}}{}\n", finding.topic == last ? "" : finding.topic, topic_columns,
                    wrapped(visible_lines(finding.text), topic_columns, std::max<std::size_t>(width, 40)));
    last = finding.topic;
  }
  return text;
}

std::string explanation_json(const PointChoice& choice, const std::vector<Finding>& findings) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Finding& finding : findings) {
    Json figures = Json::object();
    for (const auto& [name, value] : finding.figures) figures[name] = value;
    list.push_back({{"topic", finding.topic}, {"text", finding.text}, {"figures", std::move(figures)}});
  }
  const Point& point = choice.point();
  const Json document = {{"schema", "benchctl.explain"},
                         {"schema_version", 1},
                         {"point", choice.name()},
                         {"run", to_number(choice.run.id)},
                         {"number", choice.row().stored.row.ordinal},
                         {"label", point.label()},
                         {"device", point.device},
                         {"status", std::string(to_string(point.status))},
                         {"reason", point.reason},
                         {"findings", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace benchctl

#include "report/explain.hpp"

#include "model/json.hpp"
#include "model/visible.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

constexpr std::size_t topic_columns = 14;

/// Topic, then the text, all of its lines behind the column of topics.
std::string finding_text(std::string_view topic, const std::string& text, std::size_t width) {
  std::string lines = fmt::format("{:<{}}", topic, topic_columns);
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines.append(topic_columns, ' ');
  }
  lines.erase(lines.find_last_not_of(" \n") + 1);
  return fit_lines(lines, width, topic_columns) + '\n';
}

}  // namespace

PointStory point_story(const Store& store, const PointChoice& choice) {
  PointStory story{choice, {}, {}, store.events(choice.run.id)};
  const StoredPoint& stored = choice.row().stored;
  if (!stored.notes.contains(pruned_note)) story.sample_rows = store.samples(stored.row.id);
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
  std::string text =
      fit_lines(fmt::format("point {}  {}\n", choice.name(), visible(choice.point().label())),
                std::max<std::size_t>(width, 40));
  std::string_view last;
  for (const Finding& finding : findings) {
    text += finding_text(finding.topic == last ? "" : finding.topic, visible_lines(finding.text),
                         std::max<std::size_t>(width, 40));
    last = finding.topic;
  }
  return text;
}

std::string explanation_json(const PointChoice& choice, const std::vector<Finding>& findings) {
  using Json = nlohmann::ordered_json;
  const auto finding_json = [](const Finding& finding) {
    return Json{{"topic", finding.topic}, {"text", finding.text}, {"figures", finding.figures}};
  };
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
                         {"findings", list_of(findings, finding_json)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace benchctl

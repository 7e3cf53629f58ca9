// What results are compared with: [compare], the baseline of paired rounds and the practical threshold, and
// [[published]], published figures.
#include "config/read.hpp"
#include "model/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

Parameters read_published_match(Reporter& reporter, const Node& node) {
  if (node.kind != Node::Kind::table || node.find("workload") == nullptr) {
    wrong_kind(
        reporter, node, "'match' in [[published]]",
        R"(a table that names the workload at least, such as { workload = "matmul", variant = "tiled" })");
    return {};
  }
  return read_scalars(reporter, node, "'match' in [[published]]", "a table");
}

void read_figures(Reporter& reporter, const Node& node, Published& published) {
  const std::string expected =
      "a list of pairs, a value of the axis and its figure: [[2, 3464.0], [4, 523.0]]";
  for (const Node& pair :
       children_of(reporter, node, Node::Kind::array, "'values' in [[published]]", expected, least_one)) {
    const bool whole = pair.kind == Node::Kind::array && pair.children.size() == 2 &&
                       is_scalar(pair.children[0]) && is_numeric(pair.children[1]);
    if (!whole) {
      wrong_kind(reporter, pair, "an element of 'values'", expected);
      continue;
    }
    const Node& figure = pair.children[1];
    if (!(as_number(figure.value) > 0 && std::isfinite(as_number(figure.value)))) {
      reporter.error(figure.position, "a published figure is not positive", "a number above 0");
      continue;
    }
    published.values.emplace_back(pair.children[0].value, as_number(figure.value));
  }
}

}  // namespace

void read_compare(Reporter& reporter, const Node& node, Config& config) {
  const TableReader table(reporter, node, "[compare]");
  if (const Node* baseline = table.find("baseline")) {
    config.baseline_position = baseline->position;
    config.compare.baseline = read_scalars(reporter, *baseline, table.quoted("baseline"),
                                           R"(a table such as { variant = "vendor", threads = 2 })");
  }
  const auto threshold = table.number("threshold", 0, 1, "a share of the time from 0 to 1, such as 0.01");
  if (threshold) config.compare.threshold = *threshold;
}

std::optional<PublishedEntry> read_published(Reporter& reporter, const Node& node) {
  const std::size_t errors = reporter.diagnostics().size();
  const TableReader table(reporter, node, "[[published]]");
  PublishedEntry entry;
  entry.position = node.position;
  Published& published = entry.figures;
  table.read("source", published.source);
  table.read("hardware", published.hardware);
  table.read("metric", published.metric);
  table.read("unit", published.unit);
  table.read("axis", published.axis);
  if (const Node* match = table.find("match")) {
    published.match = read_published_match(reporter, *match);
    entry.match_position = match->position;
  }
  if (const Node* values = table.find("values")) read_figures(reporter, *values, published);
  if (const Node* base = table.find("relative_to")) {
    published.relative_to = base->value;
    const auto is_base = [&](const auto& value) { return value.first == base->value; };
    if (!published.values.empty() && std::ranges::none_of(published.values, is_base)) {
      reporter.error(base->position, "'relative_to' is not one of the axis's values",
                     "a value that 'values' has a figure for");
    }
  }
  if (reporter.diagnostics().size() > errors) return std::nullopt;
  return entry;
}

}  // namespace benchctl

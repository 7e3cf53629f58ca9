// [[reference]]: published figures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/config.hpp"
#include "config/read.hpp"

namespace benchctl {

namespace {

void read_text(Reporter& reporter, const Node* node, const std::string& what, std::string& into) {
  if (node == nullptr) return;
  if (const auto word = read_word(reporter, *node, what)) into = word->text;
}

Parameters read_published_match(Reporter& reporter, const Node& node) {
  if (node.kind != Node::Kind::table || node.find("workload") == nullptr) {
    wrong_kind(
        reporter, node, "'match' in [[reference]]",
        R"(a table that names the workload at least, such as { workload = "matmul", variant = "tiled" })");
    return {};
  }
  return read_scalars(reporter, node, "'match' in [[reference]]", "a table");
}

void read_values(Reporter& reporter, const Node& node, Published& published) {
  const std::string expected =
      "a list of pairs, a value of the axis and its figure: [[2, 3464.0], [4, 523.0]]";
  if (node.kind != Node::Kind::array || node.children.empty()) {
    return wrong_kind(reporter, node, "'values' in [[reference]]", expected);
  }
  for (const Node& pair : node.children) {
    const bool whole =
        pair.kind == Node::Kind::array && pair.children.size() == 2 && is_scalar(pair.children[0]) &&
        (pair.children[1].kind == Node::Kind::real || pair.children[1].kind == Node::Kind::integer);
    if (!whole) {
      wrong_kind(reporter, pair, "an element of 'values'", expected);
      continue;
    }
    const Value& figure = pair.children[1].value;
    const double number = std::holds_alternative<double>(figure)
                              ? std::get<double>(figure)
                              : static_cast<double>(std::get<std::int64_t>(figure));
    if (!(number > 0)) {
      reporter.error(pair.children[1].position, pair.children[1].raw, "a published figure is not positive",
                     "a number above 0");
      continue;
    }
    published.values.emplace_back(pair.children[0].value, number);
  }
}

}  // namespace

std::optional<PublishedEntry> read_published(Reporter& reporter, const Node& node) {
  const std::size_t errors = reporter.diagnostics().size();
  TableReader table(reporter, node, "[[reference]]", config_table("[[reference]]"));
  PublishedEntry entry;
  entry.position = node.position;
  if (node.kind != Node::Kind::table) return std::nullopt;
  Published& published = entry.figures;
  read_text(reporter, table.require("source"), table.quoted("source"), published.source);
  read_text(reporter, table.find("hardware"), table.quoted("hardware"), published.hardware);
  read_text(reporter, table.find("metric"), table.quoted("metric"), published.metric);
  read_text(reporter, table.find("unit"), table.quoted("unit"), published.unit);
  read_text(reporter, table.require("axis"), table.quoted("axis"), published.axis);
  if (const Node* match = table.require("match")) {
    published.match = read_published_match(reporter, *match);
    entry.match_position = match->position;
  }
  if (const Node* values = table.require("values")) read_values(reporter, *values, published);
  if (const Node* base = table.find("relative_to")) {
    published.relative_to = base->value;
    const auto is_base = [&](const auto& value) { return value.first == base->value; };
    if (!published.values.empty() && std::ranges::none_of(published.values, is_base)) {
      reporter.error(base->position, base->raw, "'relative_to' is not one of the axis's values",
                     "a value that 'values' has a figure for");
    }
  }
  if (reporter.diagnostics().size() > errors) return std::nullopt;
  return entry;
}

}  // namespace benchctl

#include "config/expressions.hpp"

#include "config/mention.hpp"
#include "config/read.hpp"
#include "model/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace benchctl {

std::optional<std::string> ExpressionReader::read(const Node& node, const std::string& what) {
  if (!is_scalar(node)) {
    wrong_kind(reporter_, node, what, "an expression in quotes, or a number");
    return std::nullopt;
  }
  if (node.kind != Node::Kind::text) {
    std::string text = to_text(node.value);
    if (text.starts_with('-')) text = "(" + text + ")";
    return text;
  }
  const auto& text = std::get<std::string>(node.value);
  if (!take_expression(reporter_, text, node.position)) return std::nullopt;
  try {
    read_.push_back({Expression::parse(text), node.position});
    return text;
  } catch (const ExpressionError& error) {
    const Position place =
        position_in_string(reporter_.source(node.position.source), node.position, error.offset());
    reporter_.error(place, text.substr(std::min(error.offset(), text.size()), error.length()),
                    fmt::format("{}: {}", what, error.what()));
    return std::nullopt;
  }
}

std::array<std::string, 3> ExpressionReader::read_triple(const Node& node, const std::string& what) {
  std::array<std::string, 3> triple{"1", "1", "1"};
  if (node.kind != Node::Kind::array) {
    triple[0] = read(node, what).value_or("1");
    return triple;
  }
  if (node.children.empty() || node.children.size() > 3) {
    reporter_.error(node.position, node.raw, fmt::format("{} has {} elements", what, node.children.size()),
                    "one, two or three: x, y, z");
    return triple;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    triple[i] = read(node.children[i], fmt::format("an element of {}", what)).value_or("1");
  }
  return triple;
}

std::vector<std::string> ExpressionReader::read_list(const Node& node, const std::string& what) {
  std::vector<std::string> texts;
  if (node.kind != Node::Kind::array) {
    wrong_kind(reporter_, node, what, R"(a list of conditions, such as ["TILE * TILE <= 1024"])");
    return texts;
  }
  for (const Node& element : node.children) {
    if (auto text = read(element, fmt::format("a condition in {}", what)))
      texts.push_back(std::move(*text));
  }
  return texts;
}

bool ExpressionReader::is_identifier(const std::string& text, Position position, const std::string& what) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool right = !text.empty() && is_letter(text.front()) &&
                     std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
  if (!right) {
    reporter_.error(position, text, fmt::format("{} is '{}'", what, text),
                    "a name of letters, digits and '_' that does not start with a digit");
  }
  return right;
}

void ExpressionReader::check_names(const std::vector<std::string>& known, const std::string& place) {
  const std::unordered_set<std::string_view> names(known.begin(), known.end());
  for (const Mentioned& mentioned : read_) {
    for (const std::string& name : mentioned.expression.names()) {
      if (names.contains(name)) continue;
      reporter_.unknown_name(mention_position(reporter_, mentioned.quote, mentioned.expression, name), name,
                             fmt::format("{}: nothing is called '{}' here", place, name), known);
    }
  }
}

}  // namespace benchctl

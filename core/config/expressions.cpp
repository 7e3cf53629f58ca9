#include "config/expressions.hpp"

#include "config/read.hpp"
#include "model/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace benchctl {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Calls `visit` with the place of each word and the word, quoted ones left out.
void for_each_word(const std::string& text,
                   const std::function<void(std::size_t, const std::string&)>& visit) {
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (is_word(c)) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      visit(i, text.substr(i, end - i));
      i = end - 1;
    }
  }
}

/// Where an expression first mentions a name.
std::size_t offset_of(const std::string& expression, const std::string& name) {
  std::size_t first = expression.size();
  for_each_word(expression, [&](std::size_t place, const std::string& word) {
    if (word == name) first = std::min(first, place);
  });
  return first == expression.size() ? 0 : first;
}

void report_no_room(Reporter& reporter, Position position) {
  reporter.error(position,
                 fmt::format("the expressions of this config are longer than {} bytes together",
                             Reporter::Room{}.expression_bytes),
                 "fewer conditions, or several configs");
}

}  // namespace

std::string with_words(const std::string& text,
                       const std::function<std::string(std::size_t, const std::string&)>& replaced) {
  std::string result;
  std::size_t done = 0;
  for_each_word(text, [&](std::size_t place, const std::string& word) {
    result += text.substr(done, place - done) + replaced(place, word);
    done = place + word.size();
  });
  return result + text.substr(done);
}

std::optional<std::vector<std::string>> alternatives(std::string_view text) {
  std::vector<std::string> names;
  for (bool more = true; more;) {
    const std::size_t end = std::min(text.find('|'), text.size());
    names.emplace_back(text.substr(0, end));
    more = end < text.size();
    text.remove_prefix(more ? end + 1 : end);
  }
  return std::ranges::all_of(names, is_identifier) ? std::optional(std::move(names)) : std::nullopt;
}

std::string literal(const Value& value) {
  std::string text = to_text(value);
  if (std::holds_alternative<double>(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && (text.front() < '0' || text.front() > '9') && std::ranges::all_of(text, is_word);
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

Position mention_position(const Reporter& reporter, Position quote, const Expression& expression,
                          const std::string& name) {
  return position_in_string(reporter.source(quote.source), quote, offset_of(expression.text(), name));
}

std::optional<Expression> parse_expression(Reporter& reporter, const Word& word, const std::string& what) {
  std::size_t& left = reporter.room().expression_bytes;
  if (word.text.size() > left) {
    report_no_room(reporter, word.position);
    return std::nullopt;
  }
  left -= word.text.size();
  try {
    return Expression::parse(word.text);
  } catch (const ExpressionError& error) {
    const Position place =
        position_in_string(reporter.source(word.position.source), word.position, error.offset());
    reporter.error(place, fmt::format("{}: {}", what, error.what()));
    return std::nullopt;
  }
}

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
  std::optional<Expression> expression = parse_expression(reporter_, {text, node.position}, what);
  if (!expression) return std::nullopt;
  read_.push_back({std::move(*expression), node.position});
  return defined_.empty() ? text : in_full(read_.back());
}

std::optional<std::string> ExpressionReader::in_full(const Mentioned& mentioned) {
  const std::string& text = mentioned.expression.text();
  std::size_t& left = reporter_.room().expression_bytes;
  std::size_t size = text.size();
  const std::string full = with_words(text, [&](std::size_t, const std::string& word) {
    const auto found = defined_.find(word);
    if (found == defined_.end() || size > left) return word;
    size += found->second.size();
    return found->second;
  });
  if (full.size() > left) {
    report_no_room(reporter_, mentioned.quote);
    return std::nullopt;
  }
  left -= full.size();
  return full;
}

void ExpressionReader::read(const TableReader& table, std::string_view key, std::string& into) {
  read(table.find(key), table.quoted(key), into);
}

void ExpressionReader::read(const Node* member, const std::string& what, std::string& into) {
  if (member == nullptr) return;
  if (auto text = read(*member, what)) into = std::move(*text);
}

std::array<std::string, 3> ExpressionReader::read_triple(const Node& node, const std::string& what) {
  std::array<std::string, 3> triple{"1", "1", "1"};
  if (node.kind != Node::Kind::array) {
    triple[0] = read(node, what).value_or("1");
    return triple;
  }
  if (node.children.empty() || node.children.size() > 3) {
    reporter_.error(node.position, fmt::format("{} has {} elements", what, node.children.size()),
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
  for (const Node& element : children_of(reporter_, node, Node::Kind::array, what,
                                         R"(a list of conditions, such as ["TILE * TILE <= 1024"])")) {
    if (auto text = read(element, fmt::format("a condition in {}", what)))
      texts.push_back(std::move(*text));
  }
  return texts;
}

bool ExpressionReader::is_identifier(const Word& word, const std::string& what) {
  const bool right = benchctl::is_identifier(word.text);
  if (!right) {
    reporter_.error(word.position, fmt::format("{} is '{}'", what, word.text),
                    "a name of letters, digits and '_' that does not start with a digit");
  }
  return right;
}

Word ExpressionReader::read_identifier(const TableReader& table, std::string_view key) {
  Word word;
  table.read(key, word);
  return word.text.empty() || is_identifier(word, table.quoted(key)) ? word : Word{};
}

std::vector<Word> ExpressionReader::names_beyond(const std::vector<std::string>& known) const {
  const std::unordered_set<std::string_view> names(known.begin(), known.end());
  std::vector<Word> beyond;
  for (const Mentioned& mentioned : read_) {
    for (const std::string& name : mentioned.expression.names()) {
      if (names.contains(name) || defined_.contains(name)) continue;
      beyond.push_back({name, mention_position(reporter_, mentioned.quote, mentioned.expression, name)});
    }
  }
  return beyond;
}

void ExpressionReader::check_names(const std::vector<std::string>& known, const std::string& place) {
  for (const Word& word : names_beyond(known)) {
    reporter_.unknown_name(word.position, word.text,
                           fmt::format("{}: nothing is called '{}' here", place, word.text), known);
  }
}

}  // namespace benchctl

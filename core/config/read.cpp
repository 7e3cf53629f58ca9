#include "config/read.hpp"

#include "model/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_set>

namespace benchctl {

void check_keys(Reporter& reporter, const Node& node, const std::string& place,
                const std::vector<std::string>& keys) {
  if (node.kind != Node::Kind::table) {
    wrong_kind(reporter, node, place, "a table");
    return;
  }
  for (const Node& member : node.children) {
    if (std::ranges::find(keys, member.key) != keys.end()) continue;
    reporter.unknown_name(member.key_position, member.key,
                          fmt::format("unknown key '{}' in {}", member.key, place), keys);
  }
}

TableReader::TableReader(Reporter& reporter, const Node& node, std::string place, std::string_view keys)
    : reporter_(reporter), node_(node), place_(std::move(place)), known_(config_table(keys)) {
  check_keys(reporter, node, place_, known_.key_names());
}

const Node* TableReader::find(std::string_view key) const {
  const ConfigKey& known = known_.at(key);
  const Node* member = node_.find(known.name);
  if (member == nullptr && known.is_required() && is_table())
    reporter_.error(node_.position, fmt::format("{} has no '{}'", place_, key));
  return member;
}

std::string TableReader::quoted(std::string_view key) const {
  return fmt::format("'{}' in {}", key, place_);
}

void TableReader::read_name(std::string_view key, std::string& into) const {
  Word word;
  read(key, word);
  if (word.text.empty()) return;
  if (is_plain_key(word.text)) {
    into = word.text;
  } else {
    reporter_.error(word.position, fmt::format("{} is '{}'", quoted(key), word.text),
                    "letters, digits, '_' and '-' only");
  }
}

std::optional<double> TableReader::number(std::string_view key, double least, double most,
                                          const std::string& expected) const {
  const Node* member = find(key);
  if (member == nullptr) return std::nullopt;
  const double number = is_numeric(*member) ? as_number(member->value) : std::nan("");
  if (number >= least && number <= most) return number;
  report(*member, expected);
  return std::nullopt;
}

std::optional<std::int64_t> TableReader::integer(std::string_view key, std::int64_t least,
                                                 std::int64_t most) const {
  const Node* member = find(key);
  if (member == nullptr) return std::nullopt;
  const auto* integer = std::get_if<std::int64_t>(&member->value);
  if (integer != nullptr && *integer >= least && *integer <= most) return *integer;
  report(*member, fmt::format("an integer from {} to {}", least, most));
  return std::nullopt;
}

void TableReader::report(const Node& member, const std::string& expected) const {
  reporter_.error(member.position,
                  fmt::format("{} is {}", quoted(member.key),
                              member.raw.empty() ? std::string(describe(member.kind)) : member.raw),
                  expected);
}

void wrong_kind(Reporter& reporter, const Node& node, const std::string& what,
                const std::string& expected) {
  reporter.error(node.position, fmt::format("{} is {}", what, describe(node.kind)), expected);
}

std::span<const Node> children_of(Reporter& reporter, const Node& node, Node::Kind kind,
                                  const std::string& what, const std::string& expected, std::size_t least) {
  if (node.kind == kind && node.children.size() >= least) return node.children;
  wrong_kind(reporter, node, what, expected);
  return {};
}

bool is_plain_key(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c) != 0) || c == '_' || c == '-';
  });
}

bool is_scalar(const Node& node) {
  return node.kind == Node::Kind::text || node.kind == Node::Kind::integer ||
         node.kind == Node::Kind::real || node.kind == Node::Kind::boolean;
}

bool is_numeric(const Node& node) {
  return node.kind == Node::Kind::integer || node.kind == Node::Kind::real;
}

Parameters read_scalars(Reporter& reporter, const Node& node, const std::string& what,
                        const std::string& expected) {
  Parameters values;
  for (const Node& member : children_of(reporter, node, Node::Kind::table, what, expected)) {
    if (is_scalar(member)) {
      values[member.key] = member.value;
    } else {
      wrong_kind(reporter, member, fmt::format("'{}' in {}", member.key, what), "a string or a number");
    }
  }
  return values;
}

std::optional<Word> read_word(Reporter& reporter, const Node& node, const std::string& what) {
  if (node.kind != Node::Kind::text) {
    wrong_kind(reporter, node, what, "a string");
    return std::nullopt;
  }
  const auto& text = std::get<std::string>(node.value);
  if (text.empty()) {
    reporter.error(node.position, fmt::format("{} is empty", what), "a string that is not empty");
    return std::nullopt;
  }
  return Word{text, node.position};
}

std::optional<std::vector<Word>> read_words(Reporter& reporter, const Node& node, const std::string& what) {
  if (node.kind != Node::Kind::array) {
    wrong_kind(reporter, node, what, "a list of strings");
    return std::nullopt;
  }
  if (node.children.empty()) {
    reporter.error(node.position, fmt::format("{} is empty", what), "at least one string");
    return std::nullopt;
  }
  if (node.children.size() > max_members) {
    reporter.error(node.position, fmt::format("{} has {} words", what, node.children.size()),
                   fmt::format("at most {}; one pattern may match many devices", max_members));
    return std::nullopt;
  }
  std::vector<Word> words;
  std::unordered_set<std::string_view> seen;  // views of what the nodes hold
  for (const Node& element : node.children) {
    auto word = read_word(reporter, element, fmt::format("an element of {}", what));
    if (!word) continue;
    if (!seen.insert(std::get<std::string>(element.value)).second) {
      reporter.error(element.position, fmt::format("{} has '{}' twice", what, word->text));
      continue;
    }
    words.push_back(std::move(*word));
  }
  if (words.empty()) return std::nullopt;
  return words;
}

void read_choice(Reporter& reporter, const Node& node, const std::string& what,
                 const std::vector<std::string>& choices, std::string& value) {
  const auto word = read_word(reporter, node, what);
  if (!word) return;
  if (std::ranges::find(choices, word->text) == choices.end()) {
    reporter.unknown_name(word->position, word->text, fmt::format("{} is '{}'", what, word->text), choices);
    return;
  }
  value = word->text;
}

void read_value(Reporter& reporter, const Node& node, const std::string& what, std::string& into) {
  if (auto word = read_word(reporter, node, what)) into = std::move(word->text);
}

void read_value(Reporter& reporter, const Node& node, const std::string& what, Word& into) {
  if (auto word = read_word(reporter, node, what)) into = std::move(*word);
}

void read_value(Reporter& reporter, const Node& node, const std::string& what, bool& into) {
  if (node.kind == Node::Kind::boolean) {
    into = std::get<bool>(node.value);
  } else {
    wrong_kind(reporter, node, what, "true or false");
  }
}

void read_value(Reporter& reporter, const Node& node, const std::string& what, std::vector<Word>& into) {
  if (auto words = read_words(reporter, node, what)) into = std::move(*words);
}

void read_value(Reporter& reporter, const Node& node, const std::string& what,
                std::vector<std::string>& into) {
  for (Word& word : read_words(reporter, node, what).value_or(std::vector<Word>{}))
    into.push_back(std::move(word.text));
}

}  // namespace benchctl

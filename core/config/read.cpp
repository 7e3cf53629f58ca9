#include "config/read.hpp"

#include "config/measure_settings.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace benchctl {

void check_keys(Reporter& reporter, const Node& node, const std::string& place,
                const std::vector<std::string>& keys) {
  if (node.kind != Node::Kind::table) {
    wrong_kind(reporter, node, node.key.empty() ? place : fmt::format("'{}'", node.key), "a table");
    return;
  }
  for (const Node& member : node.children) {
    if (std::ranges::find(keys, member.key) != keys.end()) continue;
    reporter.unknown_name(member.key_position, member.key,
                          fmt::format("unknown key '{}' in {}", member.key, place), keys);
  }
}

TableReader::TableReader(Reporter& reporter, const Node& node, std::string place, const ConfigTable& known)
    : reporter_(reporter), node_(node), place_(std::move(place)), known_(known) {
  check_keys(reporter, node, place_, known.key_names());
}

const Node* TableReader::find(std::string_view key) const {
  if (!known_.has(key)) throw std::logic_error(fmt::format("{} is read for '{}'", known_.name, key));
  return node_.find(key);
}

const Node* TableReader::require(std::string_view key) {
  const Node* member = find(key);
  if (member == nullptr && node_.kind == Node::Kind::table) {
    reporter_.error(node_.position, {}, fmt::format("{} has no '{}'", place_, key));
  }
  return member;
}

std::string TableReader::quoted(std::string_view key) const {
  return fmt::format("'{}' in {}", key, place_);
}

void wrong_kind(Reporter& reporter, const Node& node, const std::string& what,
                const std::string& expected) {
  reporter.error(node.position, node.raw, fmt::format("{} is {}", what, describe(node.kind)), expected);
}

bool is_scalar(const Node& node) {
  return node.kind == Node::Kind::text || node.kind == Node::Kind::integer ||
         node.kind == Node::Kind::real || node.kind == Node::Kind::boolean;
}

Parameters read_scalars(Reporter& reporter, const Node& node, const std::string& what,
                        const std::string& expected) {
  Parameters values;
  if (node.kind != Node::Kind::table) {
    wrong_kind(reporter, node, what, expected);
    return values;
  }
  for (const Node& member : node.children) {
    if (is_scalar(member)) {
      values[member.key] = member.value;
    } else {
      wrong_kind(reporter, member, fmt::format("'{}' in {}", member.key, what), "a string or a number");
    }
  }
  return values;
}

std::optional<bool> read_bool(Reporter& reporter, const Node& node, const std::string& what) {
  if (node.kind == Node::Kind::boolean) return std::get<bool>(node.value);
  wrong_kind(reporter, node, what, "true or false");
  return std::nullopt;
}

std::optional<Word> read_word(Reporter& reporter, const Node& node, const std::string& what) {
  if (node.kind != Node::Kind::text) {
    wrong_kind(reporter, node, what, "a string");
    return std::nullopt;
  }
  const auto& text = std::get<std::string>(node.value);
  if (text.empty()) {
    reporter.error(node.position, node.raw, fmt::format("{} is empty", what), "a string that is not empty");
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
    reporter.error(node.position, node.raw, fmt::format("{} is empty", what), "at least one string");
    return std::nullopt;
  }
  if (node.children.size() > max_words) {
    reporter.error(node.position, node.raw, fmt::format("{} has {} words", what, node.children.size()),
                   fmt::format("at most {}; one pattern may match many devices", max_words));
    return std::nullopt;
  }
  std::vector<Word> words;
  std::unordered_set<std::string_view> seen;  // views of what the nodes hold
  for (const Node& element : node.children) {
    auto word = read_word(reporter, element, fmt::format("an element of {}", what));
    if (!word) continue;
    if (!seen.insert(std::get<std::string>(element.value)).second) {
      reporter.error(element.position, word->text, fmt::format("{} has '{}' twice", what, word->text));
      continue;
    }
    words.push_back(std::move(*word));
  }
  if (words.empty()) return std::nullopt;
  return words;
}

bool take_expression(Reporter& reporter, const std::string& text, Position position) {
  std::size_t& left = reporter.room().expression_bytes;
  if (text.size() <= left) {
    left -= text.size();
    return true;
  }
  reporter.error(position, {},
                 fmt::format("the expressions of this config are longer than {} bytes together",
                             Reporter::Room{}.expression_bytes),
                 "fewer conditions, or several configs");
  return false;
}

std::optional<Expect> read_expect(Reporter& reporter, const Node& node, const std::string& what) {
  const auto word = read_word(reporter, node, what);
  if (!word) return std::nullopt;
  if (word->text == "right") return Expect::right;
  if (word->text == "wrong") return Expect::wrong;
  reporter.unknown_name(node.position, word->text, fmt::format("{} is '{}'", what, word->text),
                        {"right", "wrong"});
  return std::nullopt;
}

namespace {

std::optional<MeasureEntry> read_measure_list(Reporter& reporter, const Node& node,
                                              const MeasureKeyInfo& key) {
  MeasureEntry entry{node.key, std::string(), node.position};
  if (node.kind == Node::Kind::array && node.children.empty()) return entry;
  auto words = read_words(reporter, node, fmt::format("'{}'", node.key));
  if (!words) return std::nullopt;
  std::string text;
  for (const Word& word : *words) text += (text.empty() ? "" : " ") + word.text;
  MeasureSettings scratch;
  if (!key.set(scratch, text)) {
    reporter.error(node.position, text, fmt::format("'{}' cannot be made of these names", node.key),
                   key.expected);
    return std::nullopt;
  }
  entry.value = text;
  entry.words = std::move(*words);
  return entry;
}

}  // namespace

std::optional<MeasureEntry> read_measure_entry(Reporter& reporter, const Node& node) {
  const MeasureKeyInfo* key = find_measure_key(node.key);
  if (key->is_list) return read_measure_list(reporter, node, *key);
  MeasureSettings scratch;
  if (key->set(scratch, node.value)) return MeasureEntry{node.key, node.value, node.position};
  const auto* word = std::get_if<std::string>(&node.value);
  Diagnostic& added =
      reporter.error(node.position, word == nullptr ? node.raw : *word,
                     fmt::format("'{}' cannot be {}", node.key,
                                 node.raw.empty() ? std::string(describe(node.kind)) : node.raw),
                     key->expected);
  if (word != nullptr) added.suggestion = nearest_name(*word, key->choices).value_or("");
  return std::nullopt;
}

MeasurePatch read_measure(Reporter& reporter, const Node& node, const std::string& place) {
  check_keys(reporter, node, place, measure_key_names());
  MeasurePatch patch;
  if (node.kind != Node::Kind::table) return patch;
  for (const Node& member : node.children) {
    if (find_measure_key(member.key) == nullptr) continue;
    if (auto entry = read_measure_entry(reporter, member)) patch.push_back(std::move(*entry));
  }
  const auto written = [&](std::string_view key) -> const MeasureEntry* {
    const auto found = std::ranges::find(patch, key, &MeasureEntry::key);
    return found == patch.end() ? nullptr : &*found;
  };
  const MeasureEntry* least = written("min_samples");
  const MeasureEntry* most = written("max_samples");
  if (least != nullptr && most != nullptr) {
    const auto low = std::get<std::int64_t>(least->value);
    const auto high = std::get<std::int64_t>(most->value);
    if (low > high) {
      reporter.error(least->position, fmt::format("{}", low),
                     fmt::format("min_samples is {}, but max_samples is {}", low, high),
                     fmt::format("at most {}", high));
    }
  }
  return patch;
}

}  // namespace benchctl

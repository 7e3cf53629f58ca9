// Strict reading of a document's nodes: what is not as expected is reported and left out, so that one
// pass finds everything. Internal to this room.
#pragma once

#include "config/config.hpp"
#include "config/document.hpp"
#include "config/key_tables.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace benchctl {

/// Reports a node that is not a table and every key that is not in `keys`.
void check_keys(Reporter& reporter, const Node& node, const std::string& place,
                const std::vector<std::string>& keys);

/// Reports that a node is of the wrong kind. `what` names it: "'name' in [experiment]".
void wrong_kind(Reporter& reporter, const Node& node, const std::string& what, const std::string& expected);

/// The members of a table or the elements of a list, `least` or more; none, and reported, of another node.
[[nodiscard]] std::span<const Node> children_of(Reporter& reporter, const Node& node, Node::Kind kind,
                                                const std::string& what, const std::string& expected,
                                                std::size_t least = 0);
inline constexpr std::size_t least_one = 1;

/// A key that needs no quotes: letters, digits, '_' and '-', at least one.
[[nodiscard]] bool is_plain_key(std::string_view text);

/// A string that is not empty.
[[nodiscard]] std::optional<Word> read_word(Reporter& reporter, const Node& node, const std::string& what);
/// A list of different strings, at least one.
[[nodiscard]] std::optional<std::vector<Word>> read_words(Reporter& reporter, const Node& node,
                                                          const std::string& what);

/// The words of an enum.
template <class Enum>
[[nodiscard]] std::vector<std::string> spellings() {
  std::vector<std::string> names;
  for (const auto& entry : detail::Spellings<Enum>::table) names.emplace_back(entry.second);
  return names;
}

/// One of `choices`; `value` stays as it is when it was reported.
void read_choice(Reporter& reporter, const Node& node, const std::string& what,
                 const std::vector<std::string>& choices, std::string& value);

template <class Type>
concept Spelled = requires {
  detail::Spellings<Type>::table;
};

// What a member of a table may be. Where it was reported `into` stays as it is.
void read_value(Reporter& reporter, const Node& node, const std::string& what, std::string& into);
void read_value(Reporter& reporter, const Node& node, const std::string& what, Word& into);
void read_value(Reporter& reporter, const Node& node, const std::string& what, bool& into);
void read_value(Reporter& reporter, const Node& node, const std::string& what, std::vector<Word>& into);
void read_value(Reporter& reporter, const Node& node, const std::string& what,
                std::vector<std::string>& into);

template <Spelled Enum>
void read_value(Reporter& reporter, const Node& node, const std::string& what, Enum& into) {
  std::string word;
  read_choice(reporter, node, what, spellings<Enum>(), word);
  into = parse_enum<Enum>(word).value_or(into);
}

template <Spelled Enum>
void read_value(Reporter& reporter, const Node& node, const std::string& what, std::vector<Enum>& into) {
  for (const Word& word : read_words(reporter, node, what).value_or(std::vector<Word>{})) {
    if (const auto value = parse_enum<Enum>(word.text)) {
      into.push_back(*value);
    } else {
      reporter.unknown_name(word.position, word.text, fmt::format("{} has '{}'", what, word.text),
                            spellings<Enum>());
    }
  }
}

template <class Type>
void read_value(Reporter& reporter, const Node& node, const std::string& what, std::optional<Type>& into) {
  const std::size_t errors = reporter.diagnostics().size();
  Type value{};
  read_value(reporter, node, what, value);
  if (reporter.diagnostics().size() == errors) into = std::move(value);
}

/// A table whose keys are all known.
class TableReader {
 public:
  /// Reports a node that is not a table and every key that the table of keys of that name lacks
  /// (key_tables.hpp). `place` names it in messages.
  TableReader(Reporter& reporter, const Node& node, std::string place, std::string_view keys);
  /// The same, where the table of keys has the name that messages give: "[[sweep]]".
  TableReader(Reporter& reporter, const Node& node, const std::string& place)
      : TableReader(reporter, node, place, place) {}

  [[nodiscard]] bool is_table() const { return node_.kind == Node::Kind::table; }
  /// A member, or null. Its absence is reported where the table of keys says that it is required. Throws
  /// std::logic_error for a key that the table of keys does not have.
  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] std::string quoted(std::string_view key) const;

  /// Reads a member as what `into` is, if it is there.
  template <class Type>
  void read(std::string_view key, Type& into) const {
    if (const Node* node = find(key)) read_value(reporter_, *node, quoted(key), into);
  }
  /// A word that can stand before a dot in `--set` and in a file's name.
  void read_name(std::string_view key, std::string& into) const;
  /// A number from `least` to `most`; nothing where there is none, or where it was reported.
  [[nodiscard]] std::optional<double> number(std::string_view key, double least, double most,
                                             const std::string& expected) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t least,
                                                    std::int64_t most) const;

 private:
  void report(const Node& member, const std::string& expected) const;

  Reporter& reporter_;
  const Node& node_;
  std::string place_;
  const ConfigTable& known_;
};

/// A `measure` table.
[[nodiscard]] MeasurePatch read_measure(Reporter& reporter, const Node& node, const std::string& place);
/// One measure setting, which is known. Nothing when it was reported.
[[nodiscard]] std::optional<MeasureEntry> read_measure_entry(Reporter& reporter, const Node& node);
/// A `parameters` table: one axis a member.
[[nodiscard]] std::vector<Axis> read_axes(Reporter& reporter, const Node& node, const std::string& place);
/// One axis: a value, a list of values or a range. Nothing when it was reported.
[[nodiscard]] std::optional<Axis> read_axis(Reporter& reporter, const Node& node);

/// Strings, numbers and booleans by name. `what` names the table, `expected` says what it looks like.
[[nodiscard]] Parameters read_scalars(Reporter& reporter, const Node& node, const std::string& what,
                                      const std::string& expected);
[[nodiscard]] bool is_scalar(const Node& node);
/// An integer or a real number.
[[nodiscard]] bool is_numeric(const Node& node);
/// `[compare]`: what points are compared with, and which differences matter.
void read_compare(Reporter& reporter, const Node& node, Config& config);

/// All [[sweep]] tables.
void read_sweeps(Reporter& reporter, const Node& node, Config& config);

/// `[search]`, or `search` of a sweep.
void read_search(Reporter& reporter, const Node& node, const std::string& place, SearchSettings& search);

/// A [[published]]. Nothing when something about it was reported.
[[nodiscard]] std::optional<PublishedEntry> read_published(Reporter& reporter, const Node& node);

/// Reports tied axes of different lengths, for the sweep as written and for each override alone.
void check_zips(Reporter& reporter, const Sweep& sweep);
/// Reports what an axis lists twice.
void refuse_repeats(Reporter& reporter, const Axis& axis);
/// Reports what the axes of a sweep and of its overrides list twice, but for axes that are tied to others.
void check_repeats(Reporter& reporter, const Sweep& sweep);

}  // namespace benchctl

// Strict reading of a document's nodes: what is not as expected is reported and left out, so that one
// pass finds everything. Internal to this room.
#pragma once

#include "config/config.hpp"
#include "config/document.hpp"
#include "config/key_tables.hpp"

#include <optional>
#include <string>
#include <vector>

namespace benchctl {

/// A table whose keys are all known.
class TableReader {
 public:
  /// Reports a node that is not a table and every key that `known` lacks. `place` names the table in
  /// messages: "[[sweep]]".
  TableReader(Reporter& reporter, const Node& node, std::string place, const ConfigTable& known);

  /// A member, or null. Throws std::logic_error for a key that the table of keys does not have.
  [[nodiscard]] const Node* find(std::string_view key) const;
  /// The same, but its absence is reported.
  [[nodiscard]] const Node* require(std::string_view key);
  [[nodiscard]] std::string quoted(std::string_view key) const;

 private:
  Reporter& reporter_;
  const Node& node_;
  std::string place_;
  const ConfigTable& known_;
};

/// Reports a node that is not a table and every key that is not in `keys`.
void check_keys(Reporter& reporter, const Node& node, const std::string& place,
                const std::vector<std::string>& keys);

/// Reports that a node is of the wrong kind. `what` names it: "'name' in [experiment]".
void wrong_kind(Reporter& reporter, const Node& node, const std::string& what, const std::string& expected);

/// A string that is not empty.
[[nodiscard]] std::optional<Word> read_word(Reporter& reporter, const Node& node, const std::string& what);
[[nodiscard]] std::optional<bool> read_bool(Reporter& reporter, const Node& node, const std::string& what);
/// A list of different strings, at least one.
[[nodiscard]] std::optional<std::vector<Word>> read_words(Reporter& reporter, const Node& node,
                                                          const std::string& what);
/// Takes an expression's text from the room that all expressions of a config have; reports the first that
/// finds none.
[[nodiscard]] bool take_expression(Reporter& reporter, const std::string& text, Position position);
/// `right` or `wrong`.
[[nodiscard]] std::optional<Expect> read_expect(Reporter& reporter, const Node& node,
                                                const std::string& what);
/// A `measure` table.
[[nodiscard]] MeasurePatch read_measure(Reporter& reporter, const Node& node, const std::string& place);
/// One measure setting.
[[nodiscard]] std::optional<MeasureEntry> read_measure_entry(Reporter& reporter, const Node& node);
/// A `parameters` table: one axis a member.
[[nodiscard]] std::vector<Axis> read_axes(Reporter& reporter, const Node& node, const std::string& place);
/// One axis: a value, a list of values or a range. Nothing when it was reported.
[[nodiscard]] std::optional<Axis> read_axis(Reporter& reporter, const Node& node);

/// Strings, numbers and booleans by name. `what` names the table, `expected` says what it looks like.
[[nodiscard]] Parameters read_scalars(Reporter& reporter, const Node& node, const std::string& what,
                                      const std::string& expected);
[[nodiscard]] bool is_scalar(const Node& node);

/// `[compare]`: what points are compared with, and which differences matter.
void read_compare(Reporter& reporter, const Node& node, Config& config);

/// A word that can stand before a dot in `--set` and in a file's name.
[[nodiscard]] std::optional<Word> read_name(Reporter& reporter, const Node& node, const std::string& what);

/// All [[sweep]] tables.
void read_sweeps(Reporter& reporter, const Node& node, Config& config);

/// `[search]`, or `search` of a sweep.
void read_search(Reporter& reporter, const Node& node, const std::string& place, SearchSettings& search);

/// A [[reference]]. Nothing when something about it was reported.
[[nodiscard]] std::optional<PublishedEntry> read_published(Reporter& reporter, const Node& node);

/// Reports tied axes of different lengths, for the sweep as written and for each override alone.
void check_zips(Reporter& reporter, const Sweep& sweep);
/// Reports what an axis lists twice.
void refuse_repeats(Reporter& reporter, const Axis& axis);
/// Reports what the axes of a sweep and of its overrides list twice, but for axes that are tied to others.
void check_repeats(Reporter& reporter, const Sweep& sweep);

}  // namespace benchctl

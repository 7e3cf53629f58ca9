// A TOML text as a tree of our own: members in the order in which they are written, every key and value
// with its place. toml++ is behind this header.
#pragma once

#include <benchctl/types.hpp>

#include "config/diagnostic.hpp"

#include <string>
#include <vector>

namespace benchctl {

struct Node {
  enum class Kind : std::uint8_t { table, array, text, integer, real, boolean, date };

  Kind kind = Kind::table;
  Position position;       ///< where the value's first character is
  std::string key;         ///< the key, if this is a table's member
  Position key_position;   ///< where that key is
  Value value;             ///< the value of text, integer, real, boolean
  std::string raw;         ///< the value as written, when it stands on one line; the start of a long one
  bool is_inline = false;  ///< a table in braces
  /// A table's members as written, or an array's elements.
  std::vector<Node> children;

  /// A table's member, or null.
  [[nodiscard]] const Node* find(std::string_view name) const;
};

/// "a string", "a table", …
[[nodiscard]] std::string_view describe(Node::Kind kind);

/// Deepest nesting of a text, counted in brackets, in braces and in dots of one key, and the most keys and
/// elements that it may have: a tree takes many times the memory of its text.
inline constexpr std::size_t max_nesting = 16;
inline constexpr std::size_t max_nodes = 500'000;
/// Members of one table, and elements of one list of tables or of names.
inline constexpr std::size_t max_members = 1000;

/// Parses source `index` of the reporter. Throws ConfigErrors for a syntax error, and for what goes beyond
/// the limits.
[[nodiscard]] Node parse_document(Reporter& reporter, std::uint32_t index);

}  // namespace benchctl

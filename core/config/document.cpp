#include "config/document.hpp"

#include <fmt/format.h>

// Without the parser's assertions: it asserts what it checks again, so that `[` at the end of a line would
// end the program where it is a syntax error.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <algorithm>
#include <array>
#include <optional>

namespace benchctl {

namespace {

/// The end of the string that begins at `begin`; that of the text where it is not closed.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool many_lines = text.substr(begin, 3) == std::string(3, quote);
  const std::string_view close = text.substr(begin, many_lines ? 3 : 1);
  for (std::size_t i = begin + close.size(); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == '\n' && !many_lines) {
      break;
    } else if (text.substr(i).starts_with(close)) {
      return i + close.size();
    }
  }
  return text.size();
}

struct Excess {
  std::size_t byte = 0;
  std::string message;
  std::string expected;
};

/// The first place where a text goes beyond what would cost the parser without bound. Text behind a string
/// that is not closed is left to the parser, which ends there.
std::optional<Excess> excess_of(std::string_view text) {
  std::size_t depth = 0;
  std::size_t dots = 0;
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') i = end_of_string(text, i) - 1;
    if (c == '#') i = std::min(text.find('\n', i), text.size()) - 1;
    const bool opens = c == '[' || c == '{';
    if (opens) ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (opens || c == ',' || c == '=') ++nodes;
    if (std::string_view("[]{},=\n").find(c) != std::string_view::npos) dots = 0;
    if (c == '.') ++dots;
    if (depth > max_nesting || dots > max_nesting) {
      return Excess{i, fmt::format("nested deeper than {} levels", max_nesting),
                    "fewer brackets, or fewer dots in the key"};
    }
    if (nodes > max_nodes) {
      return Excess{i, fmt::format("more than {} keys and values", max_nodes),
                    "ranges in place of long lists, or several configs"};
    }
  }
  return std::nullopt;
}

class Converter {
 public:
  Converter(Reporter& reporter, std::uint32_t source) : reporter_(reporter), source_(source) {
    const std::string_view text = reporter.source(source);
    lines_.reserve(static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1);
    std::size_t start = 0;
    while (start <= text.size()) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      lines_.push_back(text.substr(start, end - start));
      start = end + 1;
    }
  }

  [[nodiscard]] Position position(const toml::source_position& place) const {
    return {place.line, place.column, source_};
  }

  /// Where an error is: at the latest behind the end of its line. (The parser counts the end of a text as
  /// the line before it, behind the line's end.)
  [[nodiscard]] Position error_position(const toml::source_position& place) const {
    Position within = position(place);
    if (within.line == 0 || within.line > lines_.size()) return within;
    const std::size_t behind = code_points(within.line - 1).size();
    within.column = std::min(within.column, static_cast<std::uint32_t>(behind));
    return within;
  }

  /// Where a byte of the text is.
  [[nodiscard]] Position position(std::string_view text, std::size_t byte) const {
    const std::string_view before = text.substr(0, byte);
    const std::size_t line = before.rfind('\n') + 1;
    const auto code_points = std::ranges::count_if(before.substr(line), &begins_code_point);
    return {1 + static_cast<std::uint32_t>(std::ranges::count(before, '\n')),
            1 + static_cast<std::uint32_t>(code_points), source_};
  }

  [[nodiscard]] Node convert(const toml::node& from) const {
    Node node;
    node.position = position(from.source().begin);
    node.raw = raw(from.source());
    if (const auto* table = from.as_table()) {
      node.kind = Node::Kind::table;
      node.is_inline = table->is_inline();
      // toml++ keeps members by name; a reader's order is that of the text.
      std::vector<std::pair<const toml::key*, const toml::node*>> members;
      for (const auto& [key, member] : *table) members.emplace_back(&key, &member);
      std::ranges::sort(members, {}, [](const auto& member) {
        const toml::source_position& place = member.first->source().begin;
        return std::pair(place.line, place.column);
      });
      node.children.reserve(members.size());
      for (const auto& [key, member] : members) {
        Node& child = node.children.emplace_back(convert(*member));
        child.key = key->str();
        child.key_position = position(key->source().begin);
      }
    } else if (const auto* array = from.as_array()) {
      node.kind = Node::Kind::array;
      node.children.reserve(array->size());
      for (const toml::node& element : *array) node.children.push_back(convert(element));
    } else {
      convert_scalar(from, node);
    }
    const bool has_parts = std::ranges::any_of(node.children, [](const Node& child) {
      return child.kind == Node::Kind::table || child.kind == Node::Kind::array;
    });
    if (node.children.size() > max_members && (has_parts || node.kind == Node::Kind::table)) {
      reporter_.error(node.position,
                      fmt::format("{} with {} members", describe(node.kind), node.children.size()),
                      fmt::format("at most {}; several configs", max_members));
      node.children.clear();
    }
    return node;
  }

 private:
  static void convert_scalar(const toml::node& from, Node& node) {
    if (const auto* text = from.as_string()) {
      node.kind = Node::Kind::text;
      node.value = text->get();
    } else if (const auto* integer = from.as_integer()) {
      node.kind = Node::Kind::integer;
      node.value = integer->get();
    } else if (const auto* real = from.as_floating_point()) {
      node.kind = Node::Kind::real;
      node.value = real->get();
    } else if (const auto* boolean = from.as_boolean()) {
      node.kind = Node::Kind::boolean;
      node.value = boolean->get();
    } else {
      node.kind = Node::Kind::date;
    }
  }

  static bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

  /// The text of a value within one line; empty for one that spans several.
  [[nodiscard]] std::string raw(const toml::source_region& region) const {
    if (region.begin.line != region.end.line || region.begin.line == 0 ||
        region.begin.line > lines_.size()) {
      return {};
    }
    const std::vector<std::size_t>& starts = code_points(region.begin.line - 1);
    const auto offset = [&](std::uint32_t column) {
      return starts[std::min<std::size_t>(column > 0 ? column - 1 : 0, starts.size() - 1)];
    };
    // Enough to tell what is meant: of nested lists every level would be kept whole.
    constexpr std::uint32_t longest = 100;
    const bool is_long = region.end.column > region.begin.column + longest;
    const std::size_t begin = offset(region.begin.column);
    const std::size_t end =
        std::max(begin, offset(is_long ? region.begin.column + longest : region.end.column));
    return std::string(lines_[region.begin.line - 1].substr(begin, end - begin)) + (is_long ? "…" : "");
  }

  /// Where each code point of a line starts, and where the last ends. Columns count code points; a list of
  /// many values is one line that is asked for as often, so the answer is kept.
  [[nodiscard]] const std::vector<std::size_t>& code_points(std::size_t line) const {
    if (line != counted_line_ || starts_.empty()) {
      counted_line_ = line;
      starts_.clear();
      for (std::size_t i = 0; i < lines_[line].size(); ++i) {
        if (begins_code_point(lines_[line][i])) starts_.push_back(i);
      }
      starts_.push_back(lines_[line].size());
    }
    return starts_;
  }

  Reporter& reporter_;
  std::uint32_t source_;
  std::vector<std::string_view> lines_;
  mutable std::size_t counted_line_ = 0;
  mutable std::vector<std::size_t> starts_;
};

}  // namespace

const Node* Node::find(std::string_view name) const {
  const auto found = std::ranges::find(children, name, &Node::key);
  return kind == Kind::table && found != children.end() ? &*found : nullptr;
}

std::string_view describe(Node::Kind kind) {
  constexpr std::array words{"a table",       "a list",        "a string",      "an integer",
                             "a real number", "a truth value", "a date or time"};
  return words.at(static_cast<std::size_t>(kind));
}

Node parse_document(Reporter& reporter, std::uint32_t index) {
  const std::string& text = reporter.source(index);
  const Converter converter(reporter, index);
  if (const auto excess = excess_of(text)) {
    reporter.error(converter.position(text, excess->byte), excess->message, excess->expected);
    reporter.throw_if_any();
  }
  Node document;
  try {
    const toml::table table = toml::parse(std::string_view(text));
    document = converter.convert(table);
  } catch (const toml::parse_error& error) {
    reporter.error(converter.error_position(error.source().begin),
                   "TOML syntax: " + std::string(error.description()));
  }
  reporter.throw_if_any();
  document.position = {1, 1, index};
  return document;
}

}  // namespace benchctl

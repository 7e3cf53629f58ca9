#include "config/document.hpp"

#include <toml++/toml.h>

#include <algorithm>

namespace benchctl {

namespace {

class Converter {
 public:
  Converter(std::string_view text, std::uint32_t source) : source_(source) {
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

  [[nodiscard]] Node convert(const toml::node& from) const {
    Node node;
    node.position = position(from.source().begin);
    node.raw = raw(from.source());
    if (const auto* table = from.as_table()) {
      node.kind = Node::Kind::table;
      node.is_inline = table->is_inline();
      for (const auto& [key, member] : *table) {
        Node& child = node.children.emplace_back(convert(member));
        child.key = key.str();
        child.key_position = position(key.source().begin);
      }
      // toml++ keeps members by name; a reader's order is that of the text.
      std::ranges::sort(node.children, {}, [](const Node& child) {
        return std::pair(child.key_position.line, child.key_position.column);
      });
    } else if (const auto* array = from.as_array()) {
      node.kind = Node::Kind::array;
      for (const toml::node& element : *array) node.children.push_back(convert(element));
    } else {
      convert_scalar(from, node);
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
    const std::size_t begin = offset(region.begin.column);
    const std::size_t end = std::max(begin, offset(region.end.column));
    return std::string(lines_[region.begin.line - 1].substr(begin, end - begin));
  }

  /// Where each code point of a line starts, and where the last ends. Columns count code points; a list of
  /// many values is one line that is asked for as often, so the answer is kept.
  [[nodiscard]] const std::vector<std::size_t>& code_points(std::size_t line) const {
    if (line != counted_line_ || starts_.empty()) {
      counted_line_ = line;
      starts_.clear();
      for (std::size_t i = 0; i < lines_[line].size(); ++i) {
        if ((static_cast<unsigned char>(lines_[line][i]) & 0xC0U) != 0x80U) starts_.push_back(i);
      }
      starts_.push_back(lines_[line].size());
    }
    return starts_;
  }

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
  switch (kind) {
    case Node::Kind::table:
      return "a table";
    case Node::Kind::array:
      return "a list";
    case Node::Kind::text:
      return "a string";
    case Node::Kind::integer:
      return "an integer";
    case Node::Kind::real:
      return "a real number";
    case Node::Kind::boolean:
      return "a truth value";
    case Node::Kind::date:
      break;
  }
  return "a date or time";
}

Node parse_document(Reporter& reporter, std::uint32_t index) {
  const std::string& text = reporter.source(index);
  const Converter converter(text, index);
  try {
    const toml::table table = toml::parse(std::string_view(text));
    return converter.convert(table);
  } catch (const toml::parse_error& error) {
    reporter.error(converter.position(error.source().begin), {},
                   "TOML syntax: " + std::string(error.description()));
    return {};
  }
}

}  // namespace benchctl

#include "config/read_fill.hpp"

#include "config/read.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

void read_fill_numbers(Reporter& reporter, ExpressionReader& expressions, const Node& node,
                       const std::string& what, FillSpec& fill) {
  const bool one = fill.kind == FillSpec::Kind::constant;
  const bool two = fill.kind == FillSpec::Kind::uniform || fill.kind == FillSpec::Kind::integers ||
                   fill.kind == FillSpec::Kind::index || fill.kind == FillSpec::Kind::sorted ||
                   fill.kind == FillSpec::Kind::offsets;
  if (fill.kind == FillSpec::Kind::file) return;
  if (one) {
    fill.first = expressions.read(node, what).value_or("0");
  } else if (fill.kind == FillSpec::Kind::values && node.kind == Node::Kind::array &&
             !node.children.empty() && node.children.size() <= max_fill_numbers) {
    for (const Node& number : node.children)
      fill.numbers.push_back(expressions.read(number, what).value_or("0"));
  } else if (two && node.kind == Node::Kind::array && node.children.size() == 2) {
    fill.first = expressions.read(node.children[0], what).value_or("0");
    fill.second = expressions.read(node.children[1], what).value_or("1");
  } else {
    reporter.error(node.position, node.raw,
                   fmt::format("{}: '{}' does not take these numbers", what, node.key),
                   two ? "two in a list: the ends of a range, or start and step of 'index'"
                   : fill.kind == FillSpec::Kind::values
                       ? fmt::format("a list of 1 to {}; a file for more", max_fill_numbers)
                       : "none");
  }
}

/// An example of a kind that is nothing without a value; null for the others.
const char* example_of(FillSpec::Kind kind) {
  switch (kind) {
    case FillSpec::Kind::values:
      return "{ values = [0.25, 0.5] }";
    case FillSpec::Kind::file:
      return "{ file = \"x.npy\" }";
    case FillSpec::Kind::offsets:
      return "{ offsets = [0, \"nnz\"] }: the first element and the last one";
    case FillSpec::Kind::like:
      return "{ like = \"x\" }, or with the element of x that element i is: { like = \"x\", layout = \"3 * "
             "i\" }";
    default:
      return nullptr;
  }
}

void read_like(Reporter& reporter, const Node& node, const std::string& what,
               const std::vector<std::string>& parameters, FillSpec& fill) {
  const TableReader table(reporter, node, what, config_table("fill of [[workload.NAME.buffer]]"));
  table.read("like", fill.other);
  ExpressionReader layout(reporter);
  layout.read(table.find("layout"), table.quoted("layout"), fill.first);
  std::vector<std::string> names = parameters;
  names.emplace_back("i");
  layout.check_names(names, what);
}

}  // namespace

FillSpec default_fill(FillSpec::Kind kind, std::string_view type) {
  switch (kind) {
    case FillSpec::Kind::constant:
      return {kind, "0", "0"};
    case FillSpec::Kind::index:
      return {kind, "0", "1"};
    case FillSpec::Kind::integers:
      return {kind, "0", type == "i8" ? "127" : "255"};
    case FillSpec::Kind::like:
      return {kind, "i", "0"};
    case FillSpec::Kind::sorted:
      if (const auto known = parse_enum<DType>(type); known && is_whole(*known))
        return {kind, "0", type == "i8" ? "127" : "255"};
      return {kind, "-1", "1"};
    default:
      return {kind, "-1", "1"};
  }
}

void read_fill(Reporter& reporter, ExpressionReader& expressions, const Node& node, const std::string& what,
               const std::vector<std::string>& parameters, BufferDeclaration& buffer) {
  if (buffer.role == BufferRole::out) {
    reporter.error(node.position, node.raw, fmt::format("{}: an output is poisoned, not filled", what),
                   "no 'fill', or role = \"inout\"");
    return;
  }
  const bool is_like = node.kind == Node::Kind::table &&
                       std::ranges::find(node.children, "like", &Node::key) != node.children.end();
  if (is_like) {
    buffer.fill = default_fill(FillSpec::Kind::like, buffer.type);
    return read_like(reporter, node, what, parameters, buffer.fill);
  }
  const bool in_braces = node.kind == Node::Kind::table && node.children.size() == 1;
  if (!in_braces && node.kind != Node::Kind::text) {
    wrong_kind(reporter, node, what,
               R"("uniform", "index" …, or one of them with numbers: { uniform = [0, 1] })");
    return;
  }
  const std::string name = in_braces ? node.children.front().key : std::get<std::string>(node.value);
  const auto kind = parse_enum<FillSpec::Kind>(name);
  if (!kind) {
    reporter.unknown_name(in_braces ? node.children.front().key_position : node.position, name,
                          fmt::format("{} is '{}'", what, name), spellings<FillSpec::Kind>());
    return;
  }
  if (const char* example = example_of(*kind); !in_braces && example != nullptr) {
    reporter.error(node.position, node.raw, fmt::format("{}: '{}' needs a value", what, name), example);
    return;
  }
  buffer.fill = default_fill(*kind, buffer.type);
  if (in_braces) read_fill_numbers(reporter, expressions, node.children.front(), what, buffer.fill);
}

}  // namespace benchctl

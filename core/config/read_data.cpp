#include "config/read_data.hpp"

#include "config/digest.hpp"
#include "config/read.hpp"
#include "config/read_workload.hpp"
#include "config/sources.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace benchctl {

namespace fs = std::filesystem;

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
    reporter.error(node.position, fmt::format("{}: '{}' does not take these numbers", what, node.key),
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
  const TableReader table(reporter, node, what, "fill of [[workload.NAME.buffer]]");
  table.read("like", fill.other);
  ExpressionReader layout(reporter);
  layout.read(table, "layout", fill.first);
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
    reporter.error(node.position, fmt::format("{}: an output is poisoned, not filled", what),
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
    reporter.error(node.position, fmt::format("{}: '{}' needs a value", what, name), example);
    return;
  }
  buffer.fill = default_fill(*kind, buffer.type);
  if (in_braces) read_fill_numbers(reporter, expressions, node.children.front(), what, buffer.fill);
}

std::optional<ArrayFile> DataFileReader::read_array(const Node& member, const std::string& buffer,
                                                    const std::string& place) {
  const auto word = read_word(reporter_, member, fmt::format("'{}' in {}", member.key, place));
  if (!word) return std::nullopt;
  try {
    const fs::path file = locate_file(word->text, rules_);
    ArrayFile found{buffer, file.string(), digest_file(file)};
    keep(word->text, file);
    return found;
  } catch (const std::runtime_error& error) {
    reporter_.error(word->position, fmt::format("{}: {}", place, error.what()));
    return std::nullopt;
  }
}

DataProgram DataFileReader::read_program(const Node& run, const std::string& what) {
  if (run.kind != Node::Kind::array) {
    wrong_kind(reporter_, run, what, R"(["python3", "gen.py"])");
    return {};
  }
  DataProgram program;
  bool any_file = false;
  std::string missing;
  for (const Node& element : run.children) {
    const auto word = read_word(reporter_, element, fmt::format("an element of {}", what));
    if (!word) return {};
    try {
      const fs::path file = locate_file(word->text, rules_);
      program.run.push_back(file.string());
      program.digests.push_back(digest_file(file));
      keep(word->text, file);
      any_file = true;
    } catch (const std::runtime_error& error) {  // a word that is not a file's name
      program.run.push_back(word->text);
      program.digests.emplace_back();
      if (word->text.find_first_of("./") != std::string::npos && missing.empty()) missing = error.what();
    }
  }
  if (!any_file) {
    reporter_.error(run.position,
                    fmt::format("{} names no file in the config's folder{}", what,
                                missing.empty() ? "" : ": " + missing),
                    R"(a program and its file beside the config, such as ["python3", "gen.py"])");
    return {};
  }
  program.folder = fs::absolute(rules_.folder).lexically_normal().string();
  program.file = reporter_.name(run.position.source);
  program.line = run.position.line;
  program.column = run.position.column;
  return program;
}

void DataFileReader::keep(const std::string& name, const fs::path& file) {
  if (fs::file_size(file) > max_kept_bytes) return;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream contents;
  contents << in.rdbuf();
  kept_.push_back({fs::path(name).lexically_normal().generic_string(), std::move(contents).str()});
}

}  // namespace benchctl

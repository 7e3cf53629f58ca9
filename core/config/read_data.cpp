#include "config/read_data.hpp"

#include "config/digest.hpp"
#include "config/read.hpp"
#include "config/read_workload.hpp"
#include "config/sources.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

using Kind = FillSpec::Kind;

/// How a kind of fill is written.
struct FillForm {
  Kind kind;
  std::size_t numbers = 0;  ///< in braces: none, one, or two in a list
  const char* first = "-1";
  const char* second = "1";
  const char* example = nullptr;  ///< of a kind that is nothing without a value
};
constexpr std::array<FillForm, 9> fill_forms{
    {{Kind::uniform, 2},
     {Kind::sorted, 2},
     {Kind::integers, 2, "0", "255"},
     {Kind::index, 2, "0", "1"},
     {Kind::constant, 1, "0", "0"},
     {Kind::offsets, 2, "-1", "1", "{ offsets = [0, \"nnz\"] }: the first element and the last one"},
     {Kind::values, 0, "-1", "1", "{ values = [0.25, 0.5] }"},
     {Kind::file, 0, "-1", "1", "{ file = \"x.npy\" }"},
     {Kind::like, 0, "i", "0",
      "{ like = \"x\" }, or with the element of x that element i is: { like = \"x\", layout = \"3 * i\" "
      "}"}}};

FillForm form_of(Kind kind) {
  const auto* const found = std::ranges::find(fill_forms, kind, &FillForm::kind);
  return found != fill_forms.end() ? *found : FillForm{kind};
}

void read_fill_numbers(Reporter& reporter, ExpressionReader& expressions, const Node& node,
                       const std::string& what, FillSpec& fill) {
  const std::size_t wanted = form_of(fill.kind).numbers;
  const std::size_t given = node.kind == Node::Kind::array ? node.children.size() : 0;
  if (fill.kind == Kind::file) return;
  if (wanted == 1) {
    fill.first = expressions.read(node, what).value_or("0");
  } else if (fill.kind == Kind::values && given > 0 && given <= max_fill_numbers) {
    for (const Node& number : node.children)
      fill.numbers.push_back(expressions.read(number, what).value_or("0"));
  } else if (wanted == 2 && given == 2) {
    fill.first = expressions.read(node.children[0], what).value_or("0");
    fill.second = expressions.read(node.children[1], what).value_or("1");
  } else {
    reporter.error(node.position, fmt::format("{}: '{}' does not take these numbers", what, node.key),
                   wanted == 2 ? "two in a list: the ends of a range, or start and step of 'index'"
                   : fill.kind == Kind::values
                       ? fmt::format("a list of 1 to {}; a file for more", max_fill_numbers)
                       : "none");
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

FillSpec default_fill(Kind kind, std::string_view type) {
  const auto known = parse_enum<DType>(type);
  const bool is_sorted_whole = kind == Kind::sorted && known && is_whole(*known);
  const FillForm form = form_of(is_sorted_whole ? Kind::integers : kind);
  return {kind, form.first, form.kind == Kind::integers && type == "i8" ? "127" : form.second};
}

void read_fill(Reporter& reporter, ExpressionReader& expressions, const Node& node, const std::string& what,
               const std::vector<std::string>& parameters, BufferDeclaration& buffer) {
  if (buffer.role == BufferRole::out) {
    reporter.error(node.position, fmt::format("{}: an output is poisoned, not filled", what),
                   "no 'fill', or role = \"inout\"");
    return;
  }
  if (node.find("like") != nullptr) {
    buffer.fill = default_fill(Kind::like, buffer.type);
    return read_like(reporter, node, what, parameters, buffer.fill);
  }
  const bool in_braces = node.kind == Node::Kind::table && node.children.size() == 1;
  if (!in_braces && node.kind != Node::Kind::text) {
    wrong_kind(reporter, node, what,
               R"("uniform", "index" …, or one of them with numbers: { uniform = [0, 1] })");
    return;
  }
  const std::string name = in_braces ? node.children.front().key : std::get<std::string>(node.value);
  const auto kind = parse_enum<Kind>(name);
  if (!kind) {
    reporter.unknown_name(in_braces ? node.children.front().key_position : node.position, name,
                          fmt::format("{} is '{}'", what, name), spellings<Kind>());
    return;
  }
  if (const char* example = form_of(*kind).example; !in_braces && example != nullptr) {
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

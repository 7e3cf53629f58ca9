#include "config/read_workload.hpp"

#include <benchctl/digest.hpp>

#include "config/expressions.hpp"
#include "config/read.hpp"
#include "config/sources.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "workloads/basic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

/// More numbers in a list are refused.
constexpr std::size_t max_fill_numbers = 4096;
/// Larger data files are not kept with a run.
constexpr std::uintmax_t max_kept_bytes = std::uintmax_t{64} << 20;

using Kind = FillSpec::Kind;

/// How a kind of fill is written.
struct FillForm {
  Kind kind;
  std::size_t numbers = 0;  ///< in braces: none, one, or two in a list
  const char* first = "-1";
  const char* second = "1";
  const char* example = nullptr;  ///< where a kind needs a value
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

/// The fill of a kind whose numbers are not given, of elements of `type`.
FillSpec default_fill(Kind kind, std::string_view type) {
  const auto known = parse_enum<DType>(type);
  const bool is_sorted_whole = kind == Kind::sorted && known && is_whole(*known);
  const FillForm form = form_of(is_sorted_whole ? Kind::integers : kind);
  return {kind, form.first, form.kind == Kind::integers && type == "i8" ? "127" : form.second};
}

Names types_or_dtype() {
  Names names = spellings<DType>();
  names.emplace_back("dtype");
  return names;
}

class WorkloadReader {
 public:
  WorkloadReader(Reporter& reporter, const Node& node, const FileRules& rules)
      : reporter_(reporter),
        node_(node),
        rules_(rules),
        expressions_(reporter),
        sizes_(reporter),
        check_expressions_(reporter) {
    place_ = fmt::format("[workload.{}]", node.key);
  }

  WorkloadEntry read() {
    const TableReader table(reporter_, node_, place_, "[workload.NAME]");
    entry_.position = node_.key_position;
    declared().name = node_.key;
    if (!table.is_table()) return entry_;
    static_cast<void>(expressions_.is_identifier(node_, "the name of a workload"));
    table.read("doc", declared().doc);
    if (const Node* parameters = table.find("parameters")) read_parameters(*parameters);
    if (const Node* data = table.find("data")) {
      has_program_ = true;
      const TableReader keys(reporter_, *data, fmt::format("[workload.{}.data]", node_.key),
                             "[workload.NAME.data]");
      if (const Node* run = keys.find("run")) declared().data = read_program(*run, keys.quoted("run"));
    }
    if (const Node* buffers = table.find("buffer")) read_buffers(*buffers);
    if (const Node* scalars = table.find("scalar")) read_scalars(*scalars);
    if (const Node* cost = table.find("cost")) read_cost(*cost);
    if (const Node* check = table.find("check")) read_check(*check);
    expressions_.check_names(parameter_names_, place_);
    entry_.size_tunables = sizes_.names_beyond(parameter_names_);
    Names with_roundoff = parameter_names_;
    with_roundoff.emplace_back("roundoff");
    check_expressions_.check_names(with_roundoff, place_ + " check");
    return std::move(entry_);
  }

 private:
  WorkloadDeclaration& declared() { return entry_.declaration; }

  void read_parameters(const Node& node) {
    for (const Node& member :
         children_of(reporter_, node, Node::Kind::table, fmt::format("'parameters' of {}", place_),
                     R"(a table such as { n = 1048576, dtype = ["f32", "f64"] })", least_one)) {
      const std::string what = fmt::format("parameter '{}' of {}", member.key, place_);
      if (!expressions_.is_identifier(member, what)) continue;
      if (member.key == "roundoff" || member.key == "layout") {
        reporter_.error(member.key_position,
                        fmt::format("the name of {} already has another meaning", what), "another name");
        continue;
      }
      read_parameter(member, what);
      parameter_names_.push_back(member.key);
    }
  }

  void read_parameter(const Node& node, const std::string& what) {
    if (node.kind == Node::Kind::array) {
      const auto words = read_words(reporter_, node, what);
      if (!words) return;
      Names choices;
      for (const Word& word : *words) choices.push_back(word.text);
      if (node.key == "dtype") check_dtypes(*words, what);
      declared().parameters.push_back(word_parameter(node.key, "", std::move(choices)));
      return;
    }
    if (node.key == "dtype") {
      reporter_.error(node.position, fmt::format("{} is {}", what, describe(node.kind)),
                      R"(a list of element types, such as ["f32", "f64"])");
      return;
    }
    ParameterInfo parameter = integer_parameter(node.key, "", "1");
    parameter.is_integer = false;
    if (node.kind == Node::Kind::table) {
      const TableReader table(reporter_, node, what, "parameter of [workload.NAME]");
      if (const Node* given = table.find("default")) read_default(*given, what, parameter);
      using Range = std::numeric_limits<double>;
      const auto bound = [&](const char* key, double& value) {
        value = table.number(key, Range::lowest(), Range::max(), "a number").value_or(value);
      };
      bound("minimum", parameter.minimum);
      bound("maximum", parameter.maximum);
      table.read("doc", parameter.doc);
      if (parameter.minimum > parameter.maximum) {
        reporter_.error(
            node.position,
            fmt::format("{}: no number lies from {:g} to {:g}", what, parameter.minimum, parameter.maximum),
            "a 'minimum' that is not above 'maximum'");
      }
    } else {
      read_default(node, what, parameter);
    }
    declared().parameters.push_back(std::move(parameter));
  }

  /// A number, or an expression over parameters that stand above.
  void read_default(const Node& node, const std::string& what, ParameterInfo& parameter) {
    ExpressionReader own(reporter_);
    own.read(&node, what, parameter.default_value);
    own.check_names(parameter_names_, what);
  }

  void check_dtypes(const std::vector<Word>& words, const std::string& what) {
    for (const Word& word : words) {
      if (parse_enum<DType>(word.text)) continue;
      reporter_.unknown_name(word.position, word.text, fmt::format("{} cannot be '{}'", what, word.text),
                             spellings<DType>());
    }
  }

  std::string read_name(const TableReader& table) {
    const Word name = expressions_.read_identifier(table, "name");
    if (name.text.empty()) return {};
    if (contains(taken_, name.text)) {
      reporter_.error(name.position, fmt::format("{} has two things called '{}'", place_, name.text),
                      "another name");
    }
    taken_.push_back(name.text);
    return name.text;
  }

  void read_type(const Node& node, const std::string& what, std::string& type) {
    read_choice(reporter_, node, what, types_or_dtype(), type);
    if (type == "dtype" && !contains(parameter_names_, "dtype")) {
      reporter_.error(node.position,
                      fmt::format("{} is 'dtype', but {} has no parameter 'dtype'", what, place_),
                      "an element type");
    }
  }

  void read_buffers(const Node& node) {
    std::vector<std::pair<std::size_t, const Node*>> likes;
    for (const Node& element :
         children_of(reporter_, node, Node::Kind::array, fmt::format("'buffer' of {}", place_),
                     fmt::format("one [[workload.{}.buffer]] or more", node_.key), least_one)) {
      const TableReader table(reporter_, element, fmt::format("[[workload.{}.buffer]]", node_.key),
                              "[[workload.NAME.buffer]]");
      if (!table.is_table()) continue;
      BufferDeclaration buffer;
      buffer.name = read_name(table);
      if (const Node* type = table.find("type")) read_type(*type, table.quoted("type"), buffer.type);
      sizes_.read(table, "count", buffer.count);
      table.read("role", buffer.role);
      if (const Node* fill = table.find("fill")) {
        read_fill(*fill, table.quoted("fill"), buffer);
        if (buffer.fill.kind == FillSpec::Kind::file) {
          const auto file = read_array(fill->children.front(), buffer.name, table.quoted("fill"));
          buffer.fill.file = file.value_or(ArrayFile{});
        }
        if (buffer.fill.kind == FillSpec::Kind::like) likes.emplace_back(declared().buffers.size(), fill);
      } else if (const auto type = parse_enum<DType>(buffer.type); type && is_whole(*type)) {
        buffer.fill = default_fill(FillSpec::Kind::integers, buffer.type);
      }
      read_data_fill(table, buffer);
      declared().buffers.push_back(std::move(buffer));
    }
    for (const auto& [index, fill] : likes) check_like(declared().buffers[index], *fill);
    if (!declared().buffers.empty() && outputs().empty()) {
      reporter_.error(node.position, fmt::format("{} has no output", place_),
                      "a buffer with role = \"out\" or \"inout\"");
    }
  }

  /// `"uniform"`, `{ uniform = [0, 1] }`.
  void read_fill(const Node& node, const std::string& what, BufferDeclaration& buffer) {
    if (buffer.role == BufferRole::out) {
      reporter_.error(node.position, fmt::format("{}: an output is poisoned, not filled", what),
                      "no 'fill', or role = \"inout\"");
      return;
    }
    if (node.find("like") != nullptr) {
      buffer.fill = default_fill(Kind::like, buffer.type);
      return read_like(node, what, buffer.fill);
    }
    const bool in_braces = node.kind == Node::Kind::table && node.children.size() == 1;
    if (!in_braces && node.kind != Node::Kind::text) {
      wrong_kind(reporter_, node, what,
                 R"("uniform", "index" …, or one of them with numbers: { uniform = [0, 1] })");
      return;
    }
    const std::string name = in_braces ? node.children.front().key : std::get<std::string>(node.value);
    const auto kind = parse_enum<Kind>(name);
    if (!kind) {
      reporter_.unknown_name(in_braces ? node.children.front().key_position : node.position, name,
                             fmt::format("{} is '{}'", what, name), spellings<Kind>());
      return;
    }
    if (const char* example = form_of(*kind).example; !in_braces && example != nullptr) {
      reporter_.error(node.position, fmt::format("{}: '{}' needs a value", what, name), example);
      return;
    }
    buffer.fill = default_fill(*kind, buffer.type);
    if (in_braces) read_fill_numbers(node.children.front(), what, buffer.fill);
  }

  void read_fill_numbers(const Node& node, const std::string& what, FillSpec& fill) {
    const std::size_t wanted = form_of(fill.kind).numbers;
    const std::size_t given = node.kind == Node::Kind::array ? node.children.size() : 0;
    if (fill.kind == Kind::file) return;
    if (wanted == 1) {
      fill.first = expressions_.read(node, what).value_or("0");
    } else if (fill.kind == Kind::values && given > 0 && given <= max_fill_numbers) {
      for (const Node& number : node.children)
        fill.numbers.push_back(expressions_.read(number, what).value_or("0"));
    } else if (wanted == 2 && given == 2) {
      fill.first = expressions_.read(node.children[0], what).value_or("0");
      fill.second = expressions_.read(node.children[1], what).value_or("1");
    } else {
      reporter_.error(node.position, fmt::format("{}: '{}' does not take these numbers", what, node.key),
                      wanted == 2 ? "two in a list: the ends of a range, or start and step of 'index'"
                      : fill.kind == Kind::values
                          ? fmt::format("a list of 1 to {}; a file for more", max_fill_numbers)
                          : "none");
    }
  }

  void read_like(const Node& node, const std::string& what, FillSpec& fill) {
    const TableReader table(reporter_, node, what, "fill of [[workload.NAME.buffer]]");
    table.read("like", fill.other);
    ExpressionReader layout(reporter_);
    layout.read(table, "layout", fill.first);
    Names names = parameter_names_;
    names.emplace_back("i");
    layout.check_names(names, what);
  }

  /// The file for a buffer that a member names; nothing where that was reported.
  std::optional<ArrayFile> read_array(const Node& member, const std::string& buffer,
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

  /// The words of a program; `what` names them in messages. Words that name files of the config's folder
  /// become absolute. Without words where something was reported.
  DataProgram read_program(const Node& run, const std::string& what) {
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

  /// With the run, if it is not too large.
  void keep(const std::string& name, const fs::path& file) {
    if (fs::file_size(file) > max_kept_bytes) return;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream contents;
    contents << in.rdbuf();
    entry_.data_files.push_back(
        {fs::path(name).lexically_normal().generic_string(), std::move(contents).str()});
  }

  /// The data program fills what nothing else does.
  void read_data_fill(const TableReader& table, BufferDeclaration& buffer) {
    const Node* fill = table.find("fill");
    if (has_program_ && fill == nullptr && buffer.role != BufferRole::out)
      buffer.fill.kind = FillSpec::Kind::data;
    if (has_program_ || buffer.fill.kind != FillSpec::Kind::data) return;
    reporter_.error(
        fill->position,
        fmt::format("buffer '{}' is filled by a data program, but {} has none", buffer.name, place_),
        fmt::format("[workload.{}.data]", node_.key));
  }

  /// Those whose numbers another buffer can take.
  [[nodiscard]] Names drawn_inputs(const std::string& type) const {
    using Kind = FillSpec::Kind;
    Names names;
    for (const BufferDeclaration& buffer : entry_.declaration.buffers) {
      const bool drawn = buffer.fill.kind != Kind::like && buffer.fill.kind != Kind::file &&
                         buffer.fill.kind != Kind::data;
      if (buffer.role != BufferRole::out && buffer.type == type && drawn) names.push_back(buffer.name);
    }
    return names;
  }

  void check_like(const BufferDeclaration& buffer, const Node& fill) {
    const Names names = drawn_inputs(buffer.type);
    if (buffer.fill.other.empty() || contains(names, buffer.fill.other)) return;
    reporter_.unknown_name(fill.position, buffer.fill.other,
                           fmt::format("buffer '{}' is filled like '{}', which must be an input of type {} "
                                       "whose numbers are drawn or listed",
                                       buffer.name, buffer.fill.other, buffer.type),
                           names);
  }

  void read_scalars(const Node& node) {
    for (const Node& element :
         children_of(reporter_, node, Node::Kind::array, fmt::format("'scalar' of {}", place_),
                     fmt::format("one [[workload.{}.scalar]] each", node_.key))) {
      const TableReader table(reporter_, element, fmt::format("[[workload.{}.scalar]]", node_.key),
                              "[[workload.NAME.scalar]]");
      if (!table.is_table()) continue;
      ScalarDeclaration scalar;
      scalar.name = read_name(table);
      if (const Node* type = table.find("type")) read_type(*type, table.quoted("type"), scalar.type);
      if (table.find("value") == nullptr && contains(parameter_names_, scalar.name)) {
        scalar.value = scalar.name;
      } else {
        expressions_.read(table, "value", scalar.value);
      }
      declared().scalars.push_back(std::move(scalar));
    }
  }

  void read_cost(const Node& node) {
    const TableReader table(reporter_, node, fmt::format("'cost' of {}", place_),
                            "cost of [workload.NAME]");
    expressions_.read(table, "flops", declared().flops);
    expressions_.read(table, "bytes_read", declared().bytes_read);
    expressions_.read(table, "bytes_written", declared().bytes_written);
  }

  void read_check(const Node& node) {
    const std::string place = fmt::format("[workload.{}.check]", node_.key);
    const TableReader table(reporter_, node, place, "[workload.NAME.check]");
    if (node.kind != Node::Kind::table) return;
    CheckDeclaration& check = declared().check;
    const Node* kernel = table.find("kernel");
    const Node* files = table.find("files");
    const Node* program = table.find("program");
    const int given =
        (kernel != nullptr ? 1 : 0) + (files != nullptr ? 1 : 0) + (program != nullptr ? 1 : 0);
    if (given > 1 || (files != nullptr && has_program_)) {
      reporter_.error(node.position,
                      given > 1
                          ? fmt::format("{} has more than one of 'kernel', 'files' and 'program'", place)
                          : fmt::format("{} has 'files' and the workload has a data program", place),
                      "one of them, which says what is right");
      return;
    }
    if (given == 0 && !has_program_) {
      reporter_.error(node.position, fmt::format("{} has none of 'kernel', 'files' and 'program'", place),
                      "the name of a trusted kernel, a file for each output, or a program that judges");
      return;
    }
    if (program != nullptr) return read_judge(table, *program);
    if (kernel != nullptr) {
      entry_.kernel_position = kernel->position;
      table.read("kernel", check.kernel);
    } else if (files != nullptr) {
      read_files(*files, place);
    }
    check_expressions_.read(table, "relative", check.relative);
    check_expressions_.read(table, "absolute", check.absolute);
    check_expressions_.read(table, "share", check.share);
    check_expressions_.read(table, "max_abs", check.max_abs);
    check_expressions_.read(table, "rel_l2", check.rel_l2);
    std::vector<Word> any_order;
    table.read("any_order", any_order);
    for (const Word& word : any_order) {
      if (is_output(word, place)) check.any_order.push_back(word.text);
    }
  }

  void read_judge(const TableReader& table, const Node& program) {
    declared().check.program = read_program(program, table.quoted("program"));
    declared().check.program.is_judge = true;
    for (const char* key : {"relative", "absolute", "share", "max_abs", "rel_l2", "any_order"}) {
      if (const Node* other = table.find(key))
        reporter_.error(
            other->key_position,
            fmt::format("{} means nothing beside 'program', which judges alone", table.quoted(key)),
            fmt::format("no '{}'", key));
    }
  }

  [[nodiscard]] Names outputs() const {
    Names names;
    for (const BufferDeclaration& buffer : entry_.declaration.buffers) {
      if (buffer.role != BufferRole::in) names.push_back(buffer.name);
    }
    return names;
  }

  void read_files(const Node& node, const std::string& place) {
    for (const Node& member :
         children_of(reporter_, node, Node::Kind::table, fmt::format("'files' in {}", place),
                     R"(a table of outputs and files, such as { y = "y.npy" })", least_one)) {
      if (!is_output({member.key, member.key_position}, place)) continue;
      if (auto file = read_array(member, member.key, place))
        declared().check.files.push_back(*std::move(file));
    }
  }

  bool is_output(const Word& word, const std::string& place) {
    const bool known = contains(outputs(), word.text);
    if (!known) {
      reporter_.unknown_name(word.position, word.text,
                             fmt::format("{}: unknown output '{}'", place, word.text), outputs());
    }
    return known;
  }

  Reporter& reporter_;
  const Node& node_;
  WorkloadEntry entry_;
  const FileRules& rules_;
  ExpressionReader expressions_;
  ExpressionReader sizes_;  // of buffers: they may name tunables, which are read later
  ExpressionReader check_expressions_;
  std::string place_;
  bool has_program_ = false;
  Names parameter_names_;
  Names taken_;  // by buffers and scalars
};

}  // namespace

std::vector<WorkloadEntry> read_workloads(Reporter& reporter, const Node& node, const FileRules& rules) {
  std::vector<WorkloadEntry> workloads;
  for (const Node& member :
       children_of(reporter, node, Node::Kind::table, "'workload'", "one [workload.NAME] each")) {
    const std::size_t errors = reporter.diagnostics().size();
    WorkloadEntry entry = WorkloadReader(reporter, member, rules).read();
    if (reporter.diagnostics().size() == errors) workloads.push_back(std::move(entry));
  }
  return workloads;
}

}  // namespace benchctl

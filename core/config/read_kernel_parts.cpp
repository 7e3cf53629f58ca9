#include "config/read_kernel_parts.hpp"

#include "config/digest.hpp"
#include "model/point.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace benchctl {

namespace {

/// Values of tunables become definitions.
void check_plain(Reporter& reporter, const Value& value, Position position, const std::string& what) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr || is_plain_word(*word)) return;
  reporter.error(position, *word, fmt::format("{} cannot be '{}'", what, *word),
                 std::string(plain_word_rule));
}

/// `store in ['cached', 'streaming']`.
std::string one_of(const std::string& name, const std::vector<Value>& words) {
  std::string list;
  for (const Value& word : words) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", to_text(word));
  return fmt::format("{} in [{}]", name, list);
}

/// A text gets a file's name, the same in every run: messages of compilers show it.
std::string name_of_text(const KernelEntry& entry, const std::string& text) {
  return fmt::format("{}-{}", entry.variant.name, digest_text(text).substr(0, 8));
}

void collect_files(Reporter& reporter, const SourcePlace& place, KernelEntry& entry, Position position,
                   const std::string& name, const std::string* text) {
  const FileRules& rules = place.rules.files;
  try {
    if (text == nullptr && !place.rules.keep_sources) {
      static_cast<void>(locate_file(name, rules));
    } else if (text == nullptr) {
      collect_sources(name, rules, place.room, entry.files);
    } else {
      collect_text(name, *text, rules, place.room, entry.files);
      entry.has_text = true;
    }
  } catch (const std::runtime_error& error) {  // SourceError, or one of the file system
    reporter.error(position, name, fmt::format("source of {}: {}", place.kernel, error.what()));
  }
}

/// A real stays one: 1.0 is not read as a whole number.
std::string number_text(const Value& value) {
  std::string text = to_text(value);
  if (std::holds_alternative<double>(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text.starts_with('-') ? "(" + text + ")" : text;
}

/// `{ i32 = "num_blocks" }`, `{ local_bytes = "4 * block" }`.
std::optional<ArgumentSpec> read_typed_argument(Reporter& reporter, ExpressionReader& expressions,
                                                const Node& node, const std::string& what) {
  static const Names types = [] {
    Names names = spellings<DType>();
    names.insert(names.end(), {"dtype", local_argument});
    return names;
  }();
  if (node.children.size() != 1) {
    reporter.error(node.position, {}, fmt::format("{} has {} types", what, node.children.size()),
                   "one, such as { i32 = \"ceil_div(n, TILE)\" }");
    return std::nullopt;
  }
  const Node& member = node.children.front();
  if (!contains(types, member.key)) {
    reporter.unknown_name(member.key_position, member.key,
                          fmt::format("{} has the type '{}'", what, member.key), types);
    return std::nullopt;
  }
  auto text = expressions.read(member, fmt::format("'{}' in {}", member.key, what));
  if (!text) return std::nullopt;
  return ArgumentSpec(std::move(*text), member.key);
}

/// False when an error was reported.
bool read_name_or_expression(ExpressionReader& expressions, const Node& node, const Word& word,
                             const std::string& what, std::vector<Word>& names) {
  if (word.text == all_arguments) return true;
  Names parts;
  for (std::size_t begin = 0; begin <= word.text.size();) {
    const std::size_t end = std::min(word.text.find('|', begin), word.text.size());
    parts.push_back(word.text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!std::ranges::all_of(parts, is_identifier)) return expressions.read(node, what).has_value();
  for (std::string& part : parts) names.push_back({std::move(part), word.position});
  return true;
}

struct Derived {
  std::size_t place;  ///< from the top
  std::optional<Expression> expression;
};
using DerivedValues = std::map<std::string, Derived, std::less<>>;

/// `a uses b uses a`: the shortest circle that begins with these two; empty if there is none.
std::string circle(const DerivedValues& all, const std::string& first, const std::string& second) {
  std::map<std::string, std::string> user_of{{second, first}};
  Names open{second};
  for (std::size_t i = 0; i < open.size() && !user_of.contains(first); ++i) {
    const auto found = all.find(open[i]);
    if (found == all.end() || !found->second.expression) continue;
    for (const std::string& name : found->second.expression->names()) {
      if (user_of.try_emplace(name, found->first).second) open.push_back(name);
    }
  }
  if (!user_of.contains(first)) return {};
  std::string text = first;
  std::string name = first;
  do {
    name = user_of.at(name);
    text = name + " uses " + text;
  } while (name != first && text.size() < 500);
  return name == first ? text : first + " uses … uses " + text;
}

}  // namespace

void check_derived_order(Reporter& reporter, const Node& table, const std::string& what) {
  DerivedValues all;
  for (const Node& member : table.children) {
    Derived derived{all.size(), std::nullopt};
    try {
      if (member.kind == Node::Kind::text)
        derived.expression = Expression::parse(std::get<std::string>(member.value));
    } catch (const ExpressionError&) {
      continue;  // it was reported
    }
    all.emplace(member.key, std::move(derived));
  }
  for (const Node& member : table.children) {
    const auto found = all.find(member.key);
    if (found == all.end() || !found->second.expression) continue;
    const auto& [name, derived] = *found;
    for (const std::string& used : derived.expression->names()) {
      const auto other = all.find(used);
      if (other == all.end() || other->second.place < derived.place) continue;
      const Position position = mention_position(reporter, member.position, *derived.expression, used);
      const std::string around = circle(all, name, used);
      if (around.empty()) {
        reporter.error(position, used,
                       fmt::format("{}: '{}' uses '{}', which stands below it", what, name, used),
                       "only values above it");
        continue;
      }
      reporter.error(position, used, fmt::format("{}: a circle: {}", what, around),
                     "values that can be computed from the top to the bottom");
      return;
    }
  }
}

std::optional<Tunable> read_tunable(Reporter& reporter, ExpressionReader& expressions, const Node& member,
                                    const std::string& kernel) {
  Tunable tunable;
  TunableInfo& info = tunable.info;
  const std::string what = fmt::format("tunable '{}' of {}", member.key, kernel);
  if (is_scalar(member)) {
    check_plain(reporter, member.value, member.position, what);
    info.default_value = member.value;
    tunable.has_default = true;
    return tunable;
  }
  const TableReader table(reporter, member, what, config_table("tunable of [[kernel]]"));
  if (member.kind != Node::Kind::table) return std::nullopt;
  if (const Node* given = table.find("default")) {
    tunable.has_default = true;
    if (is_scalar(*given)) {
      check_plain(reporter, given->value, given->position, what);
      info.default_value = given->value;
    } else {
      wrong_kind(reporter, *given, fmt::format("'default' of {}", what),
                 "a number, a string or a truth value");
    }
  }
  if (const Node* require = table.find("require")) {
    info.require = expressions.read_list(*require, fmt::format("'require' of {}", what));
  }
  if (const Node* doc = table.find("doc")) {
    read_value(reporter, *doc, fmt::format("'doc' of {}", what), info.doc);
  }
  if (const Node* values = table.find("values")) {
    if (auto axis = read_axis(reporter, *values)) {
      refuse_repeats(reporter, *axis);
      for (std::size_t i = 0; i < axis->values.size(); ++i) {
        check_plain(reporter, axis->values[i], axis->value_positions[i], what);
      }
      info.values = std::move(axis->values);
    }
  }
  const bool is_word = std::holds_alternative<std::string>(info.default_value);
  if (is_word && !info.values.empty() && table.find("require") == nullptr)
    info.require.push_back(one_of(member.key, info.values));
  if (const Node* by_size = table.find("by_size")) {
    read_value(reporter, *by_size, fmt::format("'by_size' of {}", what), info.by_size);
  }
  return tunable;
}

ScratchSpec read_scratch_buffer(Reporter& reporter, ExpressionReader& expressions, const Node& element) {
  const TableReader table(reporter, element, "[[kernel.scratch]]", config_table("[[kernel.scratch]]"));
  ScratchSpec scratch;
  Word name;
  table.read("name", name);
  if (name.text.empty() || expressions.is_identifier(name.text, name.position, table.quoted("name")))
    scratch.name = name.text;
  table.read("dtype", scratch.type);
  expressions.read(table.require("count"), table.quoted("count"), scratch.count);
  table.read("zeroed", scratch.zeroed);
  return scratch;
}

Names compute_paths() {
  Names paths{"fma"};
  for (const ParameterInfo& parameter : roof_workload().parameters()) {
    for (const std::string& choice : parameter.choices) {
      if (parameter.name == "probe" && choice.starts_with("mma_")) paths.push_back(choice);
    }
  }
  return paths;
}

Names read_kernel_layouts(Reporter& reporter, const Node& node, const std::string& what,
                          const Workload* workload, const std::string& kernel) {
  Names layouts;
  const auto words = read_words(reporter, node, what);
  if (!words || workload == nullptr) return layouts;
  const Names known(workload->layouts().begin(), workload->layouts().end());
  for (const Word& word : *words) {
    if (contains(known, word.text)) {
      layouts.push_back(word.text);
    } else if (known.empty()) {
      reporter.error(word.position, word.text,
                     fmt::format("{}: workload '{}' has one layout only", kernel, workload->name()));
    } else {
      reporter.unknown_name(word.position, word.text,
                            fmt::format("{}: unknown layout '{}'", kernel, word.text), known);
    }
  }
  return layouts;
}

std::vector<ArgumentSpec> read_arguments(Reporter& reporter, ExpressionReader& expressions,
                                         const Node& node, const std::string& what,
                                         std::vector<Word>& names) {
  std::vector<ArgumentSpec> arguments;
  for (const Node& element : children_of(reporter, node, Node::Kind::array, what,
                                         R"(a list such as ["x", "n", { f32 = "1 / n" }])")) {
    const std::string one = fmt::format("an element of {}", what);
    if (element.kind == Node::Kind::table) {
      if (auto argument = read_typed_argument(reporter, expressions, element, one))
        arguments.push_back(std::move(*argument));
    } else if (is_numeric(element)) {
      arguments.push_back(number_text(element.value));
    } else if (const auto word = read_word(reporter, element, one)) {
      if (!read_name_or_expression(expressions, element, *word, one, names)) continue;
      arguments.push_back(word->text);
    }
  }
  return arguments;
}

void read_extras(Reporter& reporter, ExpressionReader& expressions, const Node& node,
                 const std::string& what, LaunchSpec& launch) {
  for (const Node& member :
       children_of(reporter, node, Node::Kind::table, what, "a table of names and expressions")) {
    if (auto text = expressions.read(member, fmt::format("'{}' in {}", member.key, what)))
      launch.extras.try_emplace(member.key, std::move(*text));
  }
}

ProblemNames problem_names_of(const Workload& workload, const std::vector<TunableInfo>& tunables) {
  ProblemNames names;
  Parameters defaults;
  for (const TunableInfo& tunable : tunables) defaults[tunable.name] = tunable.default_value;
  const std::string layout = workload.layouts().empty() ? std::string() : workload.layouts().front();
  const auto add = [&](const Parameters& given) {
    try {
      const ProblemSpec problem = workload.problem(
          problem_values(workload, complete_parameters(workload, given), defaults), layout);
      for (const BufferSpec& buffer : problem.buffers) add_once(names.buffers, buffer.name);
      for (const ScalarSpec& scalar : problem.scalars) add_once(names.scalars, scalar.name);
    } catch (const ProblemError&) {  // the word does not go with the other defaults
    }
  };
  add({});
  for (const ParameterInfo& parameter : workload.parameters()) {
    for (const std::string& choice : parameter.choices) add({{parameter.name, choice}});
  }
  return names;
}

void check_prepare(Reporter& reporter, Position table, const std::string& kernel,
                   const std::vector<ArgumentSpec>& arguments, const std::vector<Word>& names,
                   const std::vector<std::string>& buffers, const std::vector<ScratchSpec>& scratch) {
  const auto refuse = [&](Position position, const std::string& name, const std::string& what) {
    reporter.error(
        position, name,
        fmt::format("{}: a launch with 'prepare' is not timed, so it cannot take {}", kernel, what),
        "'arguments' with scratch buffers and numbers only");
  };
  if (std::ranges::find(arguments, ArgumentSpec(all_arguments)) != arguments.end())
    refuse(table, {}, "all buffers of the workload ('*')");
  for (const Word& name : names) {
    if (contains(buffers, name.text))
      refuse(name.position, name.text, fmt::format("buffer '{}' of the workload", name.text));
  }
  for (const ScratchSpec& one : scratch) {
    const auto found = std::ranges::find(names, one.name, &Word::text);
    if (one.zeroed && found != names.end()) {
      refuse(found->position, found->text,
             fmt::format("scratch '{}', which is zeroed before every execution", one.name));
    }
  }
}

void read_kernel_source(Reporter& reporter, std::initializer_list<const Node*> tables,
                        const SourcePlace& place, KernelEntry& entry, LaunchSpec& launch) {
  for (const Node* table : tables) {
    const Node* source = table->find("source");
    const Node* text = table->find("text");
    if (source == nullptr && text == nullptr) continue;
    if (source != nullptr && text != nullptr) {
      reporter.error(text->position, {}, fmt::format("{} has both 'source' and 'text'", place.kernel),
                     "one of them");
      return;
    }
    const Node& node = source != nullptr ? *source : *text;
    const std::string what = fmt::format("'{}' of {}", source != nullptr ? "source" : "text", place.kernel);
    const std::string word = read_word(reporter, node, what).value_or(Word{}).text;
    if (word.empty()) return;
    launch.source = source != nullptr ? word + place.suffix : name_of_text(entry, word);
    collect_files(reporter, place, entry, node.position, launch.source,
                  source != nullptr ? nullptr : &word);
    return;
  }
  reporter.error((*tables.begin())->position, {},
                 fmt::format("{} has no 'source' and no 'text'", place.kernel));
}

}  // namespace benchctl

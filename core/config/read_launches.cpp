#include "config/digest.hpp"
#include "config/read_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace benchctl {

namespace {

/// `name`, `space::name`, and where a `<` follows, arguments of a template up to the last `>`.
bool is_entry(std::string_view text) {
  const std::size_t open = std::min(text.find('<'), text.size());
  if (open < text.size() && !text.ends_with('>')) return false;
  const auto harmless = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_:,.<>()*&+-/ ").find(c) != std::string_view::npos;
  };
  if (!std::ranges::all_of(text.substr(open), harmless)) return false;
  std::string_view name = text.substr(0, open);
  for (std::size_t end = 0; (end = name.find("::")) != std::string_view::npos;
       name.remove_prefix(end + 2)) {
    if (!is_identifier(name.substr(0, end))) return false;
  }
  return is_identifier(name);
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
    reporter.error(node.position, fmt::format("{} has {} types", what, node.children.size()),
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

/// A kernel may take a buffer twice, so no word is refused for coming again. Plain names are added to
/// `names`, those of "y|x" one by one.
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

/// Reports what a launch with `prepare` must not take: it is not timed, so it must not see the problem.
/// `names` are those of `arguments`, `buffers` the workload's, `table` is where the launch stands.
void check_prepare(Reporter& reporter, Position table, const std::string& kernel,
                   const std::vector<ArgumentSpec>& arguments, const std::vector<Word>& names,
                   const std::vector<std::string>& buffers, const std::vector<ScratchSpec>& scratch) {
  const auto refuse = [&](Position position, const std::string& what) {
    reporter.error(
        position,
        fmt::format("{}: a launch with 'prepare' is not timed, so it cannot take {}", kernel, what),
        "'arguments' with scratch buffers and numbers only");
  };
  if (std::ranges::find(arguments, ArgumentSpec(all_arguments)) != arguments.end())
    refuse(table, "all buffers of the workload ('*')");
  for (const Word& name : names) {
    if (contains(buffers, name.text))
      refuse(name.position, fmt::format("buffer '{}' of the workload", name.text));
  }
  for (const ScratchSpec& one : scratch) {
    const auto found = std::ranges::find(names, one.name, &Word::text);
    if (one.zeroed && found != names.end()) {
      refuse(found->position,
             fmt::format("scratch '{}', which is zeroed before every execution", one.name));
    }
  }
}

}  // namespace

void KernelReader::launches(const TableReader& table) {
  KernelSpec& spec = *entry_.variant.kernel;
  read_repetition(node_, "step", spec.repeat, spec.swap);
  const Node* list = table.find("launch");
  if (list == nullptr) {
    add_launch({&node_});
    return;
  }
  if (list->kind != Node::Kind::array || list->children.empty()) {
    wrong_kind(reporter_, *list, fmt::format("'launch' of {}", place_), "one [[kernel.launch]] or more");
    return;
  }
  for (const Node& element : list->children) {
    const TableReader launch(reporter_, element, "[[kernel.launch]]");
    if (element.kind == Node::Kind::table) add_launch({&element, &node_});
  }
}

void KernelReader::read_source(std::initializer_list<const Node*> tables, LaunchSpec& launch) {
  const auto given = std::ranges::find_if(tables, [](const Node* table) {
    return table->find("source") != nullptr || table->find("text") != nullptr;
  });
  if (given == tables.end()) {
    reporter_.error((*tables.begin())->position, fmt::format("{} has no 'source' and no 'text'", place_));
    return;
  }
  const Node* source = (*given)->find("source");
  const Node* text = (*given)->find("text");
  if (source != nullptr && text != nullptr) {
    reporter_.error(text->position, fmt::format("{} has both 'source' and 'text'", place_), "one of them");
    return;
  }
  const Node& node = source != nullptr ? *source : *text;
  std::string word;
  read_value(reporter_, node, fmt::format("'{}' of {}", node.key, place_), word);
  if (word.empty()) return;
  // A text gets a file's name, the same in every run: messages of compilers show it.
  launch.source = source != nullptr
                      ? word + suffix_
                      : fmt::format("{}-{}", entry_.variant.name, digest_text(word).substr(0, 8));
  try {
    if (text != nullptr) {
      collect_text(launch.source, word, rules_.files, room_.sources, entry_.files);
      entry_.has_text = true;
    } else if (rules_.keep_sources) {
      collect_sources(launch.source, rules_.files, room_.sources, entry_.files);
    } else {
      static_cast<void>(locate_file(launch.source, rules_.files));
    }
  } catch (const std::runtime_error& error) {  // SourceError, or one of the file system
    reporter_.error(node.position, fmt::format("source of {}: {}", place_, error.what()));
  }
}

void KernelReader::add_launch(std::initializer_list<const Node*> tables) {
  const auto find = [&](const char* key) -> const Node* {
    for (const Node* table : tables) {
      if (const Node* found = table->find(key)) return found;
    }
    return nullptr;
  };
  const auto require = [&](const char* key) {
    const Node* found = find(key);
    if (found == nullptr) {
      reporter_.error((*tables.begin())->position, fmt::format("{} has no '{}'", place_, key));
    }
    return found;
  };
  const auto quoted = [&](const char* key) { return fmt::format("'{}' of {}", key, place_); };
  LaunchSpec launch;
  read_source(tables, launch);
  const std::string stem = std::filesystem::path(launch.source).stem().string();
  if (find("entry") == nullptr && is_identifier(stem)) {
    launch.entry = stem;
  } else if (const Node* entry = require("entry")) {
    const auto word = read_word(reporter_, *entry, quoted("entry"));
    if (word && is_entry(word->text)) launch.entry = word->text;
    if (word && launch.entry.empty()) {
      reporter_.error(word->position, fmt::format("{} is '{}'", quoted("entry"), word->text),
                      "a function's name of letters, digits and '_', or that of a template with its "
                      "arguments: add<float, TILE>");
    }
  }
  const Node& own = **tables.begin();
  if (tables.size() > 1) {  // the kernel's repetition is that of the sequence
    read_repetition(own, "substep", launch.repeat, launch.swap);
    if (const Node* prepare = own.find("prepare"))
      read_value(reporter_, *prepare, quoted("prepare"), launch.prepare);
  }
  launch.arguments = {all_arguments};
  std::vector<Word> names;
  if (const Node* arguments = find("arguments")) {
    launch.arguments = read_arguments(reporter_, expressions_, *arguments, quoted("arguments"), names);
  }
  if (launch.prepare && workload_ != nullptr) {
    check_prepare(reporter_, own.position, place_, launch.arguments, names,
                  problem_names_of(*workload_, entry_.variant.tunables).buffers,
                  entry_.variant.kernel->scratch);
  }
  argument_names_.insert(argument_names_.end(), names.begin(), names.end());
  for (const Node* table : tables) {
    if (const Node* defines = table->find("defines")) read_defines(*defines, launch);
    const Node* extras = table->find("extras");
    for (const Node& extra : extras == nullptr
                                 ? std::span<const Node>()
                                 : children_of(reporter_, *extras, Node::Kind::table, quoted("extras"),
                                               "a table of names and expressions")) {
      if (auto text = expressions_.read(extra, fmt::format("'{}' in {}", extra.key, quoted("extras"))))
        launch.extras.try_emplace(extra.key, std::move(*text));
    }
  }
  if (const Node* options = find("options")) read_options(*options, launch);
  if (const Node* constants = find("constants")) read_constants(*constants, launch);
  if (const Node* block = require("block"))
    launch.block = expressions_.read_triple(*block, quoted("block"));
  if (const Node* grid = require("grid")) launch.grid = expressions_.read_triple(*grid, quoted("grid"));
  expressions_.read(find("shared_bytes"), quoted("shared_bytes"), launch.shared_bytes);
  expressions_.read(find("local_bytes"), quoted("local_bytes"), launch.local_bytes);
  expressions_.read(find("when"), quoted("when"), launch.when);
  entry_.variant.kernel->launches.push_back(std::move(launch));
}

void KernelReader::read_repetition(const Node& node, const std::string& counter, std::string& repeat,
                                   Names& swap) {
  const auto quoted = [&](const char* key) { return fmt::format("'{}' of {}", key, place_); };
  if (const Node* times = node.find("repeat")) {
    if (is_known(counter) && !contains(counters_, counter)) {
      reporter_.error(times->position,
                      fmt::format("{}: its counter is '{}', which already has another meaning",
                                  quoted("repeat"), counter),
                      "another name for the other");
    }
    expressions_.read(times, quoted("repeat"), repeat);
    add_once(counters_, counter);
  }
  const Node* pairs = node.find("swap");
  if (pairs == nullptr) return;
  const auto words = read_words(reporter_, *pairs, quoted("swap"));
  if (!words) return;
  if (words->size() % 2 != 0) {
    reporter_.error(pairs->position, fmt::format("{}: names come in pairs", quoted("swap")),
                    "two names of buffers, such as [\"a\", \"b\"]");
  }
  if (node.find("repeat") == nullptr) {
    reporter_.error(pairs->position, fmt::format("{} without 'repeat'", quoted("swap")),
                    "'repeat': the names change places after each repetition");
  }
  for (const Word& word : *words) {
    swap.push_back(word.text);
    argument_names_.push_back(word);
  }
}

void KernelReader::read_defines(const Node& node, LaunchSpec& launch) {
  const std::string what = fmt::format("'defines' of {}", place_);
  if (node.kind == Node::Kind::table) {
    for (const Node& member : node.children) {
      if (!expressions_.is_identifier(member.key, member.key_position, fmt::format("a macro in {}", what)))
        continue;
      if (auto text = expressions_.read(member, fmt::format("'{}' in {}", member.key, what)))
        launch.defines.try_emplace(member.key, std::move(*text));
    }
    return;
  }
  for (const Node& element :
       children_of(reporter_, node, Node::Kind::array, what,
                   R"_(a list of names, or a table such as { REAL = "ctype(dtype)" })_")) {
    const auto word = read_word(reporter_, element, fmt::format("an element of {}", what));
    if (!word ||
        !expressions_.is_identifier(word->text, word->position, fmt::format("an element of {}", what)))
      continue;
    launch.defines.try_emplace(word->text, word->text);
    if (!is_known(word->text)) add_tunable(word->text, word->position, {}, false);
  }
}

void KernelReader::read_options(const Node& node, LaunchSpec& launch) {
  const std::string what = fmt::format("'options' of {}", place_);
  for (const Word& word : read_words(reporter_, node, what).value_or(std::vector<Word>{})) {
    const auto add_expression = [&](const std::string& text) {
      Node expression;
      expression.kind = Node::Kind::text;
      expression.position = word.position;
      expression.value = text;
      static_cast<void>(expressions_.read(expression, what));
      return std::string();
    };
    try {
      static_cast<void>(with_values(word.text, add_expression));
    } catch (const ExpressionError& error) {
      reporter_.error(word.position, fmt::format("{} is '{}': {}", what, word.text, error.what()));
    }
    launch.options.push_back(word.text);
  }
}

void KernelReader::read_constants(const Node& node, LaunchSpec& launch) {
  const std::string what = fmt::format("'constants' of {}", place_);
  for (const Node& member :
       children_of(reporter_, node, Node::Kind::table, what,
                   R"(a table of symbols and buffers such as { FILTER = "weights" })")) {
    const std::string one = fmt::format("'{}' in {}", member.key, what);
    const auto word = read_word(reporter_, member, one);
    if (!word || !expressions_.is_identifier(member.key, member.key_position, one)) continue;
    launch.constants.try_emplace(member.key, word->text);
    argument_names_.push_back(*word);
  }
}

void KernelReader::undefine(const Node& node, const std::string& what) {
  for (const Node& element : children_of(reporter_, node, Node::Kind::array, what, "a list of macros")) {
    const auto word = read_word(reporter_, element, fmt::format("an element of {}", what));
    if (!word) continue;
    for (LaunchSpec& launch : entry_.variant.kernel->launches) launch.defines.erase(word->text);
  }
}

}  // namespace benchctl

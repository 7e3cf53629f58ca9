#include "config/kernel_reader.hpp"

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
  if (list->children.size() > max_launches) {
    reporter_.error(list->position, {}, fmt::format("{} has {} launches", place_, list->children.size()),
                    fmt::format("at most {}", max_launches));
    return;
  }
  for (const Node& element : list->children) {
    const TableReader launch(reporter_, element, "[[kernel.launch]]", config_table("[[kernel.launch]]"));
    if (element.kind == Node::Kind::table) add_launch({&element, &node_});
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
      reporter_.error((*tables.begin())->position, {}, fmt::format("{} has no '{}'", place_, key));
    }
    return found;
  };
  const auto quoted = [&](const char* key) { return fmt::format("'{}' of {}", key, place_); };
  LaunchSpec launch;
  read_kernel_source(reporter_, tables, {rules_, room_.sources, place_, suffix_}, entry_, launch);
  const std::string stem = std::filesystem::path(launch.source).stem().string();
  if (find("entry") == nullptr && is_identifier(stem)) {
    launch.entry = stem;
  } else if (const Node* entry = require("entry")) {
    const auto word = read_word(reporter_, *entry, quoted("entry"));
    if (word && is_entry(word->text)) launch.entry = word->text;
    if (word && launch.entry.empty()) {
      reporter_.error(word->position, word->text, fmt::format("{} is '{}'", quoted("entry"), word->text),
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
    if (const Node* extras = table->find("extras"))
      read_extras(reporter_, expressions_, *extras, quoted("extras"), launch);
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
      reporter_.error(times->position, times->raw,
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
    reporter_.error(pairs->position, pairs->raw, fmt::format("{}: names come in pairs", quoted("swap")),
                    "two names of buffers, such as [\"a\", \"b\"]");
  }
  if (node.find("repeat") == nullptr) {
    reporter_.error(pairs->position, pairs->raw, fmt::format("{} without 'repeat'", quoted("swap")),
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
      reporter_.error(word.position, word.text,
                      fmt::format("{} is '{}': {}", what, word.text, error.what()));
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

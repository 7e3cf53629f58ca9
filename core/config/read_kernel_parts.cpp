#include "config/read_kernel_parts.hpp"

#include "config/read.hpp"
#include "config/read_words.hpp"
#include "model/names.hpp"
#include "model/plain_word.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

/// Values of tunables become definitions.
void check_plain(Reporter& reporter, const Value& value, Position position, const std::string& what) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr || is_plain_word(*word)) return;
  reporter.error(position, *word, fmt::format("{} cannot be '{}'", what, *word),
                 std::string(plain_word_rule));
}

}  // namespace

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
    info.doc = read_word(reporter, *doc, fmt::format("'doc' of {}", what)).value_or(Word{}).text;
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
  if (const Node* by_size = table.find("by_size")) {
    info.by_size = read_bool(reporter, *by_size, fmt::format("'by_size' of {}", what)).value_or(false);
  }
  return tunable;
}

ScratchSpec read_scratch_buffer(Reporter& reporter, ExpressionReader& expressions, const Node& element) {
  TableReader table(reporter, element, "[[kernel.scratch]]", config_table("[[kernel.scratch]]"));
  ScratchSpec scratch;
  if (const Node* name = table.require("name")) {
    const auto word = read_word(reporter, *name, table.quoted("name"));
    if (word && expressions.is_identifier(word->text, word->position, table.quoted("name")))
      scratch.name = word->text;
  }
  if (const Node* type = table.find("dtype")) {
    Names names;
    for (const auto& entry : detail::Spellings<DType>::table) names.emplace_back(entry.second);
    std::string text = "f32";
    read_choice(reporter, *type, table.quoted("dtype"), names, text);
    scratch.type = *parse_enum<DType>(text);
  }
  if (const Node* count = table.require("count")) {
    scratch.count = expressions.read(*count, table.quoted("count")).value_or("0");
  }
  if (const Node* zeroed = table.find("zeroed")) {
    scratch.zeroed = read_bool(reporter, *zeroed, table.quoted("zeroed")).value_or(false);
  }
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

Names read_arguments(Reporter& reporter, const Node& node, const std::string& what) {
  Names names;
  if (node.kind != Node::Kind::array) {
    wrong_kind(reporter, node, what, "a list of names of buffers, scratch buffers and scalars");
    return names;
  }
  for (const Node& element : node.children) {
    if (const auto word = read_word(reporter, element, fmt::format("an element of {}", what))) {
      names.push_back(word->text);
    }
  }
  return names;
}

}  // namespace benchctl

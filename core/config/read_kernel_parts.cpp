#include "config/read_kernel_parts.hpp"

#include "config/digest.hpp"
#include "model/words.hpp"

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

/// A text gets a file's name, the same in every run: messages of compilers show it.
std::string name_of_text(const KernelEntry& entry, const std::string& text) {
  return fmt::format("{}-{}", entry.variant.name, digest_text(text).substr(0, 8));
}

void collect_files(Reporter& reporter, const SourcePlace& place, KernelEntry& entry, Position position,
                   const std::string& name, const std::string* text) {
  try {
    if (text == nullptr) {
      collect_sources(name, place.rules, place.room, entry.files);
    } else {
      collect_text(name, *text, place.rules, place.room, entry.files);
      entry.has_text = true;
    }
  } catch (const std::runtime_error& error) {  // SourceError, or one of the file system
    reporter.error(position, name, fmt::format("source of {}: {}", place.kernel, error.what()));
  }
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

Names read_arguments(Reporter& reporter, const Node& node, const std::string& what) {
  Names names;
  for (const Node& element : children_of(reporter, node, Node::Kind::array, what,
                                         "a list of names of buffers, scratch buffers and scalars")) {
    if (const auto word = read_word(reporter, element, fmt::format("an element of {}", what))) {
      names.push_back(word->text);
    }
  }
  return names;
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
    launch.source = source != nullptr ? word : name_of_text(entry, word);
    collect_files(reporter, place, entry, node.position, launch.source,
                  source != nullptr ? nullptr : &word);
    return;
  }
  reporter.error((*tables.begin())->position, {},
                 fmt::format("{} has no 'source' and no 'text'", place.kernel));
}

}  // namespace benchctl

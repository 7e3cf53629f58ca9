#include "config/read_kernel.hpp"

#include "config/digest.hpp"
#include "model/point.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

/// Values of tunables become definitions.
void check_plain(Reporter& reporter, const Value& value, Position position, const std::string& what) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr || is_plain_word(*word)) return;
  reporter.error(position, fmt::format("{} cannot be '{}'", what, *word), std::string(plain_word_rule));
}

/// `store in ['cached', 'streaming']`.
std::string one_of(const std::string& name, const std::vector<Value>& words) {
  std::string list;
  for (const Value& word : words) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", to_text(word));
  return fmt::format("{} in [{}]", name, list);
}

}  // namespace

void check_derived_order(Reporter& reporter, const Node& table, const std::string& what) {
  for (const Node& member : table.children) {
    if (member.kind != Node::Kind::text) continue;
    try {
      const Expression expression = Expression::parse(std::get<std::string>(member.value));
      for (const std::string& used : expression.names()) {
        const Node* other = table.find(used);
        if (other == nullptr || other < &member) continue;
        reporter.error(
            mention_position(reporter, member.position, expression, used),
            fmt::format("{}: '{}' uses '{}', which does not stand above it", what, member.key, used),
            "only values above it");
      }
    } catch (const ExpressionError&) {  // it was reported
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
  const TableReader table(reporter, member, what, "tunable of [[kernel]]");
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
  const TableReader table(reporter, element, "[[kernel.scratch]]");
  ScratchSpec scratch;
  Word name;
  table.read("name", name);
  if (name.text.empty() || expressions.is_identifier(name.text, name.position, table.quoted("name")))
    scratch.name = name.text;
  table.read("dtype", scratch.type);
  expressions.read(table, "count", scratch.count);
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
      reporter.error(word.position,
                     fmt::format("{}: workload '{}' has one layout only", kernel, workload->name()));
    } else {
      reporter.unknown_name(word.position, word.text,
                            fmt::format("{}: unknown layout '{}'", kernel, word.text), known);
    }
  }
  return layouts;
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

}  // namespace benchctl

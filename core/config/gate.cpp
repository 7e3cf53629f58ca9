#include "config/gate.hpp"

#include "config/read.hpp"
#include "model/metrics.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

std::optional<double> read_threshold(const TableReader& table) {
  return table.number("threshold", 0, 1, "a share from 0 to 1, such as 0.02 for 2 %");
}

/// Words of outcomes that may count as failure; an empty list: none does.
std::vector<PairOutcome> read_outcomes(Reporter& reporter, const Node& node, const std::string& what) {
  std::vector<PairOutcome> outcomes;
  if (node.kind == Node::Kind::array && node.children.empty()) return outcomes;
  std::vector<std::string> valid;
  for (const OutcomeInfo& entry : outcome_table) {
    if (entry.may_fail) valid.emplace_back(entry.id);
  }
  for (const Word& word : read_words(reporter, node, what).value_or(std::vector<Word>{})) {
    const auto outcome = parse_outcome(word.text);
    if (outcome && info(*outcome).may_fail) {
      outcomes.push_back(*outcome);
    } else {
      reporter.unknown_name(word.position, word.text,
                            fmt::format("'{}' in {} cannot count as failure", word.text, what), valid);
    }
  }
  return outcomes;
}

void read_gate_match(Reporter& reporter, const Node& node, GateRule& rule) {
  const TableReader table(reporter, node, "match", "match of [[rule]]");
  table.read("workload", rule.workload);
  table.read("variant", rule.variant);
  table.read("backend", rule.backend);
  table.read("device", rule.device);
}

/// A pattern that some metric with a better direction matches.
void read_metric(Reporter& reporter, const Node& node, GateRule& rule) {
  const auto word = read_word(reporter, node, "'metric' in [[rule]]");
  if (!word) return;
  rule.metric = word->text;
  std::vector<std::string> names;
  bool found = false;
  for (const MetricInfo& metric : metric_table) {
    if (metric.better == Better::neither) continue;
    names.emplace_back(metric.id);
    found = found || glob_match(word->text, metric.id);
  }
  if (found) return;
  reporter.unknown_name(word->position, word->text,
                        fmt::format("no metric that can be better or worse matches '{}'", word->text),
                        names);
}

GateRule read_rule(Reporter& reporter, const Node& node) {
  const TableReader table(reporter, node, "[[rule]]");
  GateRule rule;
  if (const Node* match = table.find("match")) read_gate_match(reporter, *match, rule);
  if (const Node* metric = table.find("metric")) read_metric(reporter, *metric, rule);
  const Node* fail = table.find("fail");
  if (node.kind == Node::Kind::table && table.find("threshold") == nullptr && fail == nullptr &&
      table.find("needs_interval") == nullptr) {
    reporter.error(node.position, "[[rule]] says nothing", "'threshold', 'fail' or 'needs_interval'");
  }
  rule.threshold = read_threshold(table);
  if (fail != nullptr) rule.fail = read_outcomes(reporter, *fail, table.quoted("fail"));
  table.read("needs_interval", rule.needs_interval);
  return rule;
}

void read_gate(Reporter& reporter, const Node& node, GatePolicy& policy) {
  const TableReader table(reporter, node, "[gate]");
  policy.threshold = read_threshold(table);
  if (const Node* fail = table.find("fail"))
    policy.fail = read_outcomes(reporter, *fail, table.quoted("fail"));
  table.read("needs_interval", policy.needs_interval);
  table.read("whole_interval", policy.whole_interval);
  table.read("false_discovery_rate", policy.false_discovery_rate);
}

}  // namespace

GatePolicy parse_gate(const std::string& text, const std::string& name) {
  // Without the byte-order mark that some editors write.
  Reporter reporter({{name, text.substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0)}});
  const Node document = parse_document(reporter, 0);
  GatePolicy policy;
  const TableReader table(reporter, document, "the policy");
  if (const Node* gate = table.find("gate")) read_gate(reporter, *gate, policy);
  if (const Node* rules = table.find("rule")) {
    for (const Node& rule :
         children_of(reporter, *rules, Node::Kind::array, "'rule'", "one [[rule]] each")) {
      policy.rules.push_back(read_rule(reporter, rule));
    }
  }
  reporter.throw_if_any();
  return policy;
}

GatePolicy load_gate(const std::filesystem::path& path) {
  return parse_gate(read_config_text(path), path.string());
}

}  // namespace benchctl

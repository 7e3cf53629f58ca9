#include "config/gate.hpp"

#include "config/config.hpp"
#include "config/read.hpp"
#include "model/glob.hpp"
#include "model/metrics.hpp"
#include "model/value_order.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

std::optional<double> read_threshold(Reporter& reporter, const Node& node, const std::string& what) {
  const bool number = node.kind == Node::Kind::integer || node.kind == Node::Kind::real;
  const double share = number ? as_number(node.value) : -1;
  if (share >= 0 && share <= 1) return share;
  reporter.error(node.position, node.raw, what, "a share from 0 to 1, such as 0.02 for 2 %");
  return std::nullopt;
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
  const TableReader table(reporter, node, "match", config_table("match of [[rule]]"));
  const auto read = [&](std::string_view key, std::string& pattern) {
    const Node* member = table.find(key);
    if (member == nullptr) return;
    if (const auto word = read_word(reporter, *member, table.quoted(key))) pattern = word->text;
  };
  read("workload", rule.workload);
  read("variant", rule.variant);
  read("backend", rule.backend);
  read("device", rule.device);
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
  const TableReader table(reporter, node, "[[rule]]", config_table("[[rule]]"));
  GateRule rule;
  if (const Node* match = table.find("match")) read_gate_match(reporter, *match, rule);
  if (const Node* metric = table.find("metric")) read_metric(reporter, *metric, rule);
  const Node* threshold = table.find("threshold");
  const Node* fail = table.find("fail");
  const Node* needs_interval = table.find("needs_interval");
  if (node.kind == Node::Kind::table && threshold == nullptr && fail == nullptr &&
      needs_interval == nullptr) {
    reporter.error(node.position, {}, "[[rule]] says nothing", "'threshold', 'fail' or 'needs_interval'");
  }
  if (threshold != nullptr)
    rule.threshold = read_threshold(reporter, *threshold, "'threshold' in [[rule]]");
  if (fail != nullptr) rule.fail = read_outcomes(reporter, *fail, "'fail' in [[rule]]");
  if (needs_interval != nullptr) {
    rule.needs_interval = read_bool(reporter, *needs_interval, "'needs_interval' in [[rule]]");
  }
  return rule;
}

void read_gate(Reporter& reporter, const Node& node, GatePolicy& policy) {
  const TableReader table(reporter, node, "[gate]", config_table("[gate]"));
  if (const Node* threshold = table.find("threshold")) {
    policy.threshold = read_threshold(reporter, *threshold, "'threshold' in [gate]");
  }
  if (const Node* fail = table.find("fail"))
    policy.fail = read_outcomes(reporter, *fail, "'fail' in [gate]");
  const auto read_flag = [&](std::string_view key, bool& flag) {
    const Node* member = table.find(key);
    if (member == nullptr) return;
    flag = read_bool(reporter, *member, fmt::format("'{}' in [gate]", key)).value_or(flag);
  };
  read_flag("needs_interval", policy.needs_interval);
  read_flag("whole_interval", policy.whole_interval);
  read_flag("false_discovery_rate", policy.false_discovery_rate);
}

}  // namespace

GatePolicy parse_gate(const std::string& text, const std::string& name) {
  Reporter reporter({{name, text}});
  const Node document = parse_document(reporter, 0);
  reporter.throw_if_any();
  GatePolicy policy;
  const TableReader table(reporter, document, "the policy", config_table("the policy"));
  if (const Node* gate = table.find("gate")) read_gate(reporter, *gate, policy);
  if (const Node* rules = table.find("rule")) {
    if (rules->kind != Node::Kind::array) {
      wrong_kind(reporter, *rules, "'rule'", "one [[rule]] each");
    } else {
      for (const Node& rule : rules->children) policy.rules.push_back(read_rule(reporter, rule));
    }
  }
  reporter.throw_if_any();
  return policy;
}

GatePolicy load_gate(const std::filesystem::path& path) {
  return parse_gate(read_config_text(path), path.string());
}

}  // namespace benchctl

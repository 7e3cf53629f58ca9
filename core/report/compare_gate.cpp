#include "report/compare_gate.hpp"

#include "model/glob.hpp"
#include "model/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchctl {

namespace {

constexpr std::string_view time_metric = "median_ns";

bool matches(const GateRule& rule, const Point& point, std::string_view metric) {
  return glob_match(rule.workload, point.workload) && glob_match(rule.variant, point.variant) &&
         glob_match(rule.backend, point.backend) && glob_match(rule.device, point.device) &&
         glob_match(rule.metric, metric);
}

/// The first rule that holds for the point and the metric, or null.
const GateRule* rule_for(const GatePolicy& policy, const Point& point, std::string_view metric) {
  const auto found = std::ranges::find_if(
      policy.rules, [&](const GateRule& rule) { return matches(rule, point, metric); });
  return found == policy.rules.end() ? nullptr : &*found;
}

const std::vector<PairOutcome>& failures(const GatePolicy& policy, const GateRule* rule) {
  return rule != nullptr && rule->fail ? *rule->fail : policy.fail;
}

bool has(const std::vector<PairOutcome>& outcomes, PairOutcome outcome) {
  return std::ranges::find(outcomes, outcome) != outcomes.end();
}

/// Counted figures have no interval: they are compared as they are.
PairOutcome outcome_of(const ComparedMetric& metric, Better better) {
  if (std::isnan(metric.fresh)) return PairOutcome::missing;
  const double worse = better == Better::lower ? metric.fresh - metric.base : metric.base - metric.fresh;
  if (std::abs(worse) <= metric.threshold * std::abs(metric.base)) return PairOutcome::same;
  return worse > 0 ? PairOutcome::slower : PairOutcome::faster;
}

void compare_metrics(const CompareResult& result, ComparedPair& pair, const CompareOptions& options) {
  if (options.policy.rules.empty() || std::isnan(pair.ratio)) return;
  const ComparedPoint& base = result.base->points[*pair.base];
  const ComparedPoint& fresh = result.fresh->points[*pair.fresh];
  for (const MetricInfo& metric : metric_table) {
    if (metric.better == Better::neither || metric.id == time_metric) continue;
    const GateRule* rule = rule_for(options.policy, base.point, metric.id);
    const double before = base.metrics.get(metric.id);
    if (rule == nullptr || std::isnan(before)) continue;
    ComparedMetric compared{std::string(metric.id), before, fresh.metrics.get(metric.id), 0, 0,
                            PairOutcome::same,      false};
    compared.ratio = before != 0 ? compared.fresh / before : std::numeric_limits<double>::quiet_NaN();
    compared.threshold = rule->threshold.value_or(options.threshold);
    compared.outcome = outcome_of(compared, metric.better);
    compared.fails = has(failures(options.policy, rule), compared.outcome);
    pair.metrics.push_back(compared);
  }
}

GateVerdict verdict_of(PairOutcome outcome) {
  return outcome == PairOutcome::not_comparable ? GateVerdict::not_comparable
         : outcome == PairOutcome::not_resolved ? GateVerdict::not_resolved
                                                : GateVerdict::regressed;
}

/// In the order of gravity, the least first.
int gravity(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::regressed:
      return 3;
    case GateVerdict::not_comparable:
      return 2;
    case GateVerdict::not_resolved:
      return 1;
    case GateVerdict::fine:
      break;
  }
  return 0;
}

}  // namespace

double gate_threshold(const CompareOptions& options, const Point& point) {
  const GateRule* rule = rule_for(options.policy, point, time_metric);
  return rule != nullptr && rule->threshold ? *rule->threshold : options.threshold;
}

void apply_gate(CompareResult& result, const CompareOptions& options) {
  const auto worsen = [&](GateVerdict verdict) {
    if (gravity(verdict) > gravity(result.verdict)) result.verdict = verdict;
  };
  bool any_pair = false;
  for (ComparedPair& pair : result.pairs) {
    any_pair = any_pair || (pair.base && pair.fresh);
    const Point& point = point_of(result, pair).point;
    pair.fails = has(failures(options.policy, rule_for(options.policy, point, time_metric)), pair.outcome);
    if (pair.fails) worsen(verdict_of(pair.outcome));
    compare_metrics(result, pair, options);
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.fails) worsen(GateVerdict::regressed);
    }
  }
  if (!any_pair) worsen(GateVerdict::not_comparable);
}

}  // namespace benchctl

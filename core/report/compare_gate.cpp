#include "report/compare.hpp"
#include "report/format.hpp"

#include "model/glob.hpp"
#include "model/metrics.hpp"
#include "stats/verdict.hpp"

#include <algorithm>
#include <array>
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

/// Made from the median time and what the workload counts, which is the same in both runs: the ratio of two
/// is that of the times, or one over it. The share of a roof is none of these: each run has measured its
/// own roofs.
constexpr auto made_from_median =
    std::to_array<std::string_view>({"gflops", "gbytes_per_s", "requested_gbytes_per_s", "ns_per_access"});

stats::Interval times(const stats::Interval& interval, double factor) {
  return {interval.low * factor, interval.high * factor};
}

/// Gives a figure that is made from the median the intervals of the pair.
void take_intervals(ComparedMetric& metric, const ComparedPair& pair, Better better) {
  if (std::isnan(metric.ratio) || !(metric.ratio > 0)) return;
  const auto made = [&](const stats::Interval& of_times) -> stats::Interval {
    const stats::RatioEstimate time{0, pair.ratio, of_times, 1};
    const stats::RatioEstimate own = better == Better::lower ? time : time.inverse();
    // Another count (a newer version of the workload) moves the interval with the figure.
    return times(own.interval, metric.ratio / own.ratio);
  };
  metric.single_value = false;
  metric.interval = made(pair.interval);
  metric.joint_interval = made(pair.joint_interval);
}

/// As times are judged: by how many times as bad it is, with the interval.
PairOutcome outcome_by_interval(const ComparedMetric& metric, Better better, bool whole_interval) {
  const stats::RatioEstimate ratio{0, metric.ratio, metric.joint_interval, 1};
  const auto judge = whole_interval ? &stats::judge_strictly : &stats::judge;
  const stats::Verdict verdict = judge(better == Better::lower ? ratio : ratio.inverse(), metric.threshold);
  return parse_outcome(stats::info(verdict).id).value_or(PairOutcome::not_resolved);
}

/// Figures without an interval are compared as they are.
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
    ComparedMetric compared;
    compared.metric = metric.id;
    compared.base = before;
    compared.fresh = fresh.metrics.get(metric.id);
    compared.interval = compared.joint_interval = {no_number, no_number};
    compared.ratio = before != 0 ? compared.fresh / before : no_number;
    compared.threshold = rule->threshold.value_or(options.threshold);
    if (std::ranges::find(made_from_median, metric.id) != made_from_median.end()) {
      take_intervals(compared, pair, metric.better);
    }
    compared.outcome = outcome_of(compared, metric.better);
    if (!compared.single_value) {
      compared.outcome = outcome_by_interval(compared, metric.better, options.policy.whole_interval);
    } else if (compared.outcome != PairOutcome::missing &&
               rule->needs_interval.value_or(options.policy.needs_interval)) {
      compared.outcome = PairOutcome::not_resolved;
    }
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
      return 4;
    case GateVerdict::failed:
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

/// Has base a failure here that new does not make worse?
bool fails_in_base(const CompareResult& result, const ComparedPair& pair) {
  return pair.base && (pair.outcome == PairOutcome::repaired || pair.outcome == PairOutcome::untimed) &&
         info(result.base->points[*pair.base].point.status).status_class == StatusClass::failed;
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
  const auto fails = [&](const Point& point, PairOutcome outcome) {
    return has(failures(options.policy, rule_for(options.policy, point, time_metric)), outcome);
  };
  bool any_pair = false;
  for (ComparedPair& pair : result.pairs) {
    any_pair = any_pair || (pair.base && pair.fresh);
    const Point& point = point_of(result, pair).point;
    pair.fails = fails(point, pair.outcome);
    if (pair.fails) worsen(verdict_of(pair.outcome));
    if (options.base_must_work && fails_in_base(result, pair)) {
      pair.fails = true;
      worsen(GateVerdict::failed);
    }
    // What no further process of `ab` has confirmed is undecided, like any other row that is not resolved.
    if (pair.doubted && !options.turns && fails(point, *pair.doubted)) worsen(GateVerdict::not_resolved);
    compare_metrics(result, pair, options);
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.fails) worsen(verdict_of(metric.outcome));
    }
  }
  if (!any_pair) worsen(GateVerdict::not_comparable);
}

}  // namespace benchctl

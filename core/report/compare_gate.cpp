// Which differences count as failure, and what a comparison comes to in words.
#include "report/compare.hpp"
#include "report/export.hpp"
#include "report/format.hpp"

#include "model/metrics.hpp"
#include "model/words.hpp"
#include "stats/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

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
    const stats::RatioEstimate time{0, pair.ratio, of_times};
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
  const stats::RatioEstimate ratio{0, metric.ratio, metric.joint_interval};
  const auto judge = whole_interval ? &stats::judge_strictly : &stats::judge;
  return outcome_of(judge(better == Better::lower ? ratio : ratio.inverse(), metric.threshold));
}

/// Figures without an interval are compared as they are.
PairOutcome outcome_of_metric(const ComparedMetric& metric, Better better) {
  if (std::isnan(metric.fresh)) return PairOutcome::missing;
  const double worse = better == Better::lower ? metric.fresh - metric.base : metric.base - metric.fresh;
  if (std::abs(worse) <= metric.threshold * std::abs(metric.base)) return PairOutcome::same;
  return worse > 0 ? PairOutcome::slower : PairOutcome::faster;
}

/// NaN where a row has none.
double figure_in(const nlohmann::ordered_json& row, const std::string& metric) {
  const auto found = row.find(metric);
  const double figure = found != row.end() && found->is_number() ? found->get<double>() : no_number;
  return std::isfinite(figure) ? figure : no_number;
}

void compare_metrics(ComparedPair& pair, const CompareOptions& options, const Result& before,
                     const Result& now) {
  const nlohmann::ordered_json base = row_json(before);
  const nlohmann::ordered_json fresh = row_json(now);
  for (const MetricInfo& metric : metric_table) {
    if (metric.better == Better::neither || metric.id == time_metric) continue;
    const GateRule* rule = rule_for(options.policy, before.point(), metric.id);
    if (rule == nullptr) continue;
    ComparedMetric compared;
    compared.metric = metric.id;
    compared.base = figure_in(base, compared.metric);
    if (std::isnan(compared.base)) continue;
    compared.fresh = figure_in(fresh, compared.metric);
    compared.interval = compared.joint_interval = {no_number, no_number};
    compared.ratio = compared.base != 0 ? compared.fresh / compared.base : no_number;
    compared.threshold = rule->threshold.value_or(options.threshold);
    if (std::ranges::find(made_from_median, metric.id) != made_from_median.end()) {
      take_intervals(compared, pair, metric.better);
    }
    compared.outcome = outcome_of_metric(compared, metric.better);
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

/// Has base a failure here that new does not make worse?
bool fails_in_base(const CompareResult& result, const ComparedPair& pair) {
  return pair.base && (pair.outcome == PairOutcome::repaired || pair.outcome == PairOutcome::untimed) &&
         info(result.base->points[*pair.base].point().status).status_class == StatusClass::failed;
}

}  // namespace

double gate_threshold(const CompareOptions& options, const Point& point) {
  const GateRule* rule = rule_for(options.policy, point, time_metric);
  return rule != nullptr && rule->threshold ? *rule->threshold : options.threshold;
}

void apply_gate(CompareResult& result, const CompareOptions& options) {
  const auto worsen = [&](GateVerdict verdict) { result.verdict = std::max(result.verdict, verdict); };
  const auto fails = [&](const Point& point, PairOutcome outcome) {
    return has(failures(options.policy, rule_for(options.policy, point, time_metric)), outcome);
  };
  const bool asks = !options.policy.rules.empty();
  bool any_pair = false;
  for (ComparedPair& pair : result.pairs) {
    any_pair = any_pair || (pair.base && pair.fresh);
    const Point& point = point_of(result, pair).point();
    pair.fails = fails(point, pair.outcome);
    if (pair.fails) worsen(verdict_of(pair.outcome));
    if (options.base_must_work && fails_in_base(result, pair)) {
      pair.fails = true;
      worsen(GateVerdict::failed);
    }
    // What no further process of `ab` has confirmed is undecided, like any other row that is not resolved.
    if (pair.doubted && !options.turns && fails(point, *pair.doubted)) worsen(GateVerdict::not_resolved);
    if (asks && !std::isnan(pair.ratio))
      compare_metrics(pair, options, result.base->points[*pair.base], result.fresh->points[*pair.fresh]);
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.fails) worsen(verdict_of(metric.outcome));
    }
  }
  if (!any_pair) worsen(GateVerdict::not_comparable);
}

// The verdict in words.

namespace {

/// The gravest first.
constexpr auto outcomes_by_gravity = std::to_array<PairOutcome>(
    {PairOutcome::wrong, PairOutcome::failed, PairOutcome::missing, PairOutcome::slower,
     PairOutcome::not_comparable, PairOutcome::not_resolved});

void add_count(std::string& text, std::size_t count, std::string_view what) {
  if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(count), what);
}

/// Nothing counts as failure: that alone is not yet good news.
std::string fine_text(const CompareResult& result) {
  const std::size_t unresolved = count_of(result, PairOutcome::not_resolved);
  std::size_t judged = unresolved;
  for (const PairOutcome outcome : {PairOutcome::faster, PairOutcome::slower, PairOutcome::same})
    judged += count_of(result, outcome);
  if (judged == 0) return "fine: nothing counts as failure, but no pair has times to judge";
  if (unresolved == 0) return "fine";
  return fmt::format(
      "{}: {} of {} not resolved, their intervals are too wide to tell. Measure both runs longer (a "
      "smaller `target`, a larger `max_seconds` or --budget), or judge by a larger --threshold",
      unresolved == judged ? "nothing is known" : "fine as far as is known", format_count(unresolved),
      judged == 1 ? "1 pair" : format_count(judged) + " pairs");
}

/// Advice for pairs whose spread between processes is unknown.
std::string doubt_text(const CompareResult& result) {
  std::map<std::string_view, std::size_t> doubted;
  for (const ComparedPair& pair : result.pairs) {
    if (pair.doubted) ++doubted[info(*pair.doubted).label];
  }
  if (doubted.empty()) return {};
  std::string text;
  for (const auto& [label, count] : doubted) add_count(text, count, label);
  return fmt::format(
      "{} within one process of each run, but the spread between processes is unknown. Measure it: repeat "
      "the run (`benchctl run CONFIG --fresh`, twice), or measure both sides with `--set "
      "measure.replicates=5`",
      text);
}

/// Pairs of which base has failed, by what became of base and of new: `1 wrong in base`.
std::string base_failures_text(const CompareResult& result) {
  std::map<std::string, std::size_t> counts;
  for (const ComparedPair& pair : result.pairs) {
    if (!pair.fails || !pair.base) continue;
    const std::string status(to_string(result.base->points[*pair.base].point().status));
    if (pair.outcome == PairOutcome::repaired) ++counts[status + " in base"];
    if (pair.outcome == PairOutcome::untimed) ++counts[status + " in base, without a time in new"];
  }
  std::string text;
  for (const auto& [what, count] : counts) add_count(text, count, what);
  return text;
}

/// What fails, the gravest first.
std::string failures_text(const CompareResult& result) {
  std::map<PairOutcome, std::size_t> failures;
  std::size_t worse = 0;
  std::size_t unresolved = 0;
  for (const ComparedPair& pair : result.pairs) {
    if (pair.fails) ++failures[pair.outcome];
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.fails) ++(metric.outcome == PairOutcome::not_resolved ? unresolved : worse);
    }
  }
  std::string text = base_failures_text(result);
  for (const PairOutcome outcome : outcomes_by_gravity)
    add_count(text, failures[outcome], info(outcome).label);
  add_count(text, worse, "worse in another metric");
  add_count(text, unresolved, "not resolved in another metric");
  return text;
}

}  // namespace

std::string_view correction_of(const CompareResult& result) {
  if (result.turns) return "table_and_looks";
  return result.false_discovery_rate ? "false_discovery_rate" : "table";
}

std::string verdict_text(const CompareResult& result) {
  std::string text = failures_text(result);
  if (text.empty() && result.verdict == GateVerdict::not_comparable)
    text = "the two have no point in common";
  if (result.turns) return turns_text(result, text);
  const std::string doubt = doubt_text(result);
  switch (result.verdict) {
    case GateVerdict::regressed:
      return "regressed: " + text;
    case GateVerdict::failed:
      return "failed: " + text;
    case GateVerdict::not_comparable:
      return "not comparable: " + text;
    case GateVerdict::not_resolved:
      return fmt::format("not resolved: {}{}{}", text, text.empty() || doubt.empty() ? "" : "; ", doubt);
    case GateVerdict::fine:
      break;
  }
  return doubt.empty() ? fine_text(result) : "nothing counts as failure: " + doubt;
}

}  // namespace benchctl

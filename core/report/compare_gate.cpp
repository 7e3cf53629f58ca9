// Which differences count as failure, and what a comparison comes to in words.
#include "report/compare.hpp"
#include "report/export.hpp"
#include "report/format.hpp"

#include "model/metrics.hpp"
#include "model/words.hpp"

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

/// As times are compared: by how many times as bad it is, with the interval.
PairOutcome outcome_by_interval(const ComparedMetric& metric, Better better, bool whole_interval) {
  const stats::RatioEstimate ratio{0, metric.ratio, metric.joint_interval};
  const auto verdict = whole_interval ? &stats::strict_verdict_of : &stats::verdict_of;
  return outcome_of(verdict(better == Better::lower ? ratio : ratio.inverse(), metric.threshold));
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

void compare_metrics(ComparedPair& pair, const CompareOptions& options) {
  const nlohmann::ordered_json base = row_json(*pair.base_point);
  const nlohmann::ordered_json fresh = row_json(*pair.fresh_point);
  for (const MetricInfo& metric : metric_table) {
    if (metric.better == Better::neither || metric.id == time_metric) continue;
    const GateRule* rule = rule_for(options.policy, pair.point(), metric.id);
    if (rule == nullptr) continue;
    ComparedMetric compared;
    compared.metric = metric.id;
    compared.base = figure_in(base, compared.metric);
    if (std::isnan(compared.base)) continue;
    compared.fresh = figure_in(fresh, compared.metric);
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

/// What failed in base, if new does not make it worse: `1 wrong in base`.
std::string base_failure(const ComparedPair& pair) {
  const bool better = pair.outcome == PairOutcome::repaired;
  if (pair.base_point == nullptr || (!better && pair.outcome != PairOutcome::untimed)) return {};
  const Status status = pair.base_point->point().status;
  if (info(status).status_class != StatusClass::failed) return {};
  return fmt::format("{} in base{}", to_string(status), better ? "" : ", without a time in new");
}

}  // namespace

double gate_threshold(const CompareOptions& options, const Point& point) {
  const GateRule* rule = rule_for(options.policy, point, time_metric);
  return rule != nullptr && rule->threshold ? *rule->threshold : options.threshold;
}

void apply_gate(CompareResult& result) {
  const CompareOptions& options = result.options;
  const auto worsen = [&](GateVerdict verdict) { result.verdict = std::max(result.verdict, verdict); };
  bool any_pair = false;
  for (ComparedPair& pair : result.pairs) {
    const bool both = pair.base_point != nullptr && pair.fresh_point != nullptr;
    any_pair = any_pair || both;
    const auto& fail = failures(options.policy, rule_for(options.policy, pair.point(), time_metric));
    pair.fails = has(fail, pair.outcome);
    if (pair.fails) worsen(verdict_of(pair.outcome));
    if (options.base_must_work && !base_failure(pair).empty()) {
      pair.fails = true;
      worsen(GateVerdict::failed);
    }
    // What no further process of `ab` has confirmed is undecided, like any other row that is not resolved.
    if (pair.doubted && !options.turns && has(fail, *pair.doubted)) worsen(GateVerdict::not_resolved);
    if (!options.policy.rules.empty() && !std::isnan(pair.ratio)) compare_metrics(pair, options);
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.fails) worsen(verdict_of(metric.outcome));
    }
  }
  if (!any_pair) worsen(GateVerdict::not_comparable);
}

// The verdict in words.

namespace {

/// `3 slower, 12 same`, by what `words` make of the keys.
template <class Counts, class Words>
std::string count_words(const Counts& counts, const Words& words) {
  std::string text;
  for (const auto& [key, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(count), words(key));
  return text;
}

constexpr auto label_of = [](PairOutcome outcome) { return info(outcome).label; };

std::size_t count_of(const CompareResult& result, PairOutcome outcome) {
  const auto found = result.all.counts.find(outcome);
  return found == result.all.counts.end() ? 0 : found->second;
}

/// Nothing counts as failure: that alone is not yet good news.
std::string fine_text(const CompareResult& result) {
  const std::size_t unresolved = count_of(result, PairOutcome::not_resolved);
  std::size_t compared = unresolved;
  for (const PairOutcome outcome : {PairOutcome::faster, PairOutcome::slower, PairOutcome::same})
    compared += count_of(result, outcome);
  if (compared == 0) return "fine: nothing counts as failure, but no pair has times to judge";
  if (unresolved == 0) return "fine";
  return fmt::format(
      "{}: {} of {} not resolved, their intervals are too wide to tell. Measure both runs longer (a "
      "smaller `target`, a larger `max_seconds` or --budget), or judge by a larger --threshold",
      unresolved == compared ? "nothing is known" : "fine as far as is known", format_count(unresolved),
      counted(compared, "pair"));
}

/// Advice for pairs whose spread between processes is unknown.
std::string doubt_text(const CompareResult& result) {
  std::map<PairOutcome, std::size_t> doubted;
  for (const ComparedPair& pair : result.pairs) {
    if (pair.doubted) ++doubted[*pair.doubted];
  }
  if (doubted.empty()) return {};
  return fmt::format(
      "{} within one process of each run, but the spread between processes is unknown. Measure it: repeat "
      "the run (`benchctl run CONFIG --fresh`, twice), or measure both sides with `--set "
      "measure.replicates=5`",
      count_words(doubted, label_of));
}

/// What fails, the gravest first: what failed in base is told before anything else.
std::string failures_text(const CompareResult& result) {
  static constexpr auto by_gravity = std::to_array<PairOutcome>(
      {PairOutcome::wrong, PairOutcome::failed, PairOutcome::missing, PairOutcome::slower,
       PairOutcome::not_comparable, PairOutcome::not_resolved});
  std::map<std::pair<std::size_t, std::string>, std::size_t> failures;
  const auto gravity = [](PairOutcome outcome) {
    return static_cast<std::size_t>(std::ranges::find(by_gravity, outcome) - by_gravity.begin());
  };
  for (const ComparedPair& pair : result.pairs) {
    const std::string in_base = base_failure(pair);
    const std::string label(info(pair.outcome).label);
    if (pair.fails)
      ++failures[in_base.empty() ? std::pair(1 + gravity(pair.outcome), label)
                                 : std::pair(std::size_t{0}, in_base)];
    for (const ComparedMetric& metric : pair.metrics) {
      const bool open = metric.outcome == PairOutcome::not_resolved;
      if (metric.fails)
        ++failures[{by_gravity.size() + (open ? 2 : 1),
                    open ? "not resolved in another metric" : "worse in another metric"}];
    }
  }
  return count_words(failures, [](const auto& key) { return key.second; });
}

// Sides in turns.

/// `7.2 % slower (95 %: 5.8 to 8.5 %)`.
std::string change_of(const ComparedPair& pair) {
  const bool slower = pair.ratio > 1;
  const auto percent = [&](double ratio) { return 100 * (slower ? ratio - 1 : 1 - ratio); };
  const double near = percent(slower ? pair.interval.low : pair.interval.high);
  const double far = percent(slower ? pair.interval.high : pair.interval.low);
  const std::string size = fmt::format("{:.1f} % {}", percent(pair.ratio), slower ? "slower" : "faster");
  return pair.interval.known() ? fmt::format("{} (95 %: {:.1f} to {:.1f} %)", size, near, far) : size;
}

std::string row_text(const CompareResult& result, const ComparedPair& pair) {
  const Point& point = pair.point();
  std::string text = point.workload + '/' + result.words.variant(point);
  const auto is_other_problem = [&](const ComparedPair& other) {
    const Point& one = other.point();
    return one.workload == point.workload && one.problem != point.problem;
  };
  if (std::ranges::any_of(result.pairs, is_other_problem)) text += ' ' + result.words.problem(point);
  return first_line(text + " on " + point.device);
}

/// The row that has changed most, and how many have: `x is 7.2 % slower (95 %: 5.8 to 8.5 %)`.
std::string changes_text(const CompareResult& result, PairOutcome outcome) {
  const ComparedPair* most = nullptr;
  std::size_t count = 0;
  for (const ComparedPair& pair : result.pairs) {
    if (pair.outcome != outcome) continue;
    ++count;
    if (most == nullptr || std::abs(std::log(pair.ratio)) > std::abs(std::log(most->ratio))) most = &pair;
  }
  if (count == 1) return fmt::format("{} is {}", row_text(result, *most), change_of(*most));
  return fmt::format("{} of {} rows are {}, most of all {}: {}", format_count(count),
                     format_count(result.comparisons), info(outcome).label, row_text(result, *most),
                     change_of(*most));
}

std::string seconds_text(const Turns& turns) {
  return fmt::format("{:.{}f} s", turns.seconds, turns.seconds < 10 ? 1 : 0);
}

/// `, 8 processes, 11 s`.
std::string effort_text(const Turns& turns) {
  if (turns.looks.empty()) return ", " + seconds_text(turns);
  return fmt::format(", {} {}, {}", turns.looks.back(), turns.together ? "processes" : "pairs of processes",
                     seconds_text(turns));
}

std::string undecided_text(const CompareResult& result, std::size_t open) {
  const double least = least_visible_change(result);
  std::string machine = result.options.turns->machine;
  if (!machine.empty()) machine = " (" + machine + ')';
  std::string text = fmt::format("Undecided after {}: ", seconds_text(*result.options.turns));
  if (open < result.comparisons)
    text += fmt::format("{} of {} rows; ", format_count(open), format_count(result.comparisons));
  // An interval of two processes may be of any width.
  text += !(least < 1)
              ? fmt::format("too few processes to tell{}.", machine)
              : fmt::format("a change below {} cannot be seen here{}.", format_percent(least), machine);
  const auto doubted =
      std::ranges::find_if(result.pairs, [](const ComparedPair& pair) { return pair.doubted.has_value(); });
  if (doubted != result.pairs.end()) {
    text += fmt::format(" {} looks slower, but no further process has confirmed it: give it more time.",
                        row_text(result, *doubted));
  }
  return text +
         (result.verdict == GateVerdict::not_resolved ? " That counts as a failure." : " Nothing failed.");
}

std::string turns_text(const CompareResult& result, const std::string& failures) {
  const std::size_t slower = count_of(result, PairOutcome::slower);
  const std::size_t open = count_of(result, PairOutcome::not_resolved);
  const std::string effort = effort_text(*result.options.turns);
  const auto only_slower = [&] {
    return std::ranges::all_of(result.pairs, [](const ComparedPair& pair) {
      return !pair.fails || pair.outcome == PairOutcome::slower ||
             pair.outcome == PairOutcome::not_resolved;
    });
  };
  switch (result.verdict) {
    case GateVerdict::regressed:
      return "Regression: " +
             (slower > 0 && only_slower() ? changes_text(result, PairOutcome::slower) : failures) + effort;
    case GateVerdict::failed:
      return "Failed: " + failures;
    case GateVerdict::not_comparable:
      return "Not comparable: " + failures;
    case GateVerdict::not_resolved:
    case GateVerdict::fine:
      break;
  }
  if (open > 0) return undecided_text(result, open);
  if (result.verdict == GateVerdict::not_resolved) return "Undecided: " + failures + effort;
  if (result.comparisons == 0) return "Nothing to compare: no row has times on both sides";
  if (slower > 0)
    return "No failure, as the policy has it: " + changes_text(result, PairOutcome::slower) + effort;
  if (count_of(result, PairOutcome::faster) > 0)
    return "Faster: " + changes_text(result, PairOutcome::faster) + effort;
  return fmt::format("No change: {0} of {0} {1} within ±{2} (95 %){3}", format_count(result.comparisons),
                     result.comparisons == 1 ? "row" : "rows", format_percent(result.options.threshold),
                     effort);
}

}  // namespace

std::string counts_text(const RatioSummary& summary) { return count_words(summary.counts, label_of); }

double least_visible_change(const CompareResult& result) {
  double least = 0;
  for (const ComparedPair& pair : result.pairs) {
    if (pair.outcome != PairOutcome::not_resolved) continue;
    if (!pair.joint_interval.known()) return no_number;
    const double half = std::sqrt(pair.joint_interval.high / pair.joint_interval.low) - 1;
    least = std::max({least, half, pair.threshold});
  }
  return least;
}

std::string verdict_text(const CompareResult& result) {
  std::string text = failures_text(result);
  if (text.empty() && result.verdict == GateVerdict::not_comparable)
    text = "the two have no point in common";
  if (result.options.turns) return turns_text(result, text);
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

// The verdict of a comparison as a sentence.
#include "report/compare.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace benchctl {

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
  const auto number = [&](PairOutcome outcome) {
    const auto found = result.all.counts.find(outcome);
    return found == result.all.counts.end() ? 0 : found->second;
  };
  const std::size_t unresolved = number(PairOutcome::not_resolved);
  const std::size_t judged =
      unresolved + number(PairOutcome::faster) + number(PairOutcome::slower) + number(PairOutcome::same);
  if (judged == 0) return "fine: nothing counts as failure, but no pair has times to judge";
  if (unresolved == 0) return "fine";
  return fmt::format(
      "{}: {} of {} not resolved, their intervals are too wide to tell. Measure both runs longer (a "
      "smaller "
      "`target`, a larger `max_seconds` or --budget), or judge by a larger --threshold",
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
  for (const auto& [label, count] : doubted) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(count), label);
  }
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
    const std::string status(to_string(result.base->points[*pair.base].point.status));
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
  const std::string text = failures_text(result);
  if (result.turns) return turns_text(result, text);
  const std::string doubt = doubt_text(result);
  switch (result.verdict) {
    case GateVerdict::regressed:
      return fmt::format("regressed: {}", text);
    case GateVerdict::failed:
      return fmt::format("failed: {}", text);
    case GateVerdict::not_comparable:
      return fmt::format("not comparable: {}", text.empty() ? "the two have no point in common" : text);
    case GateVerdict::not_resolved:
      return fmt::format("not resolved: {}{}{}", text, text.empty() || doubt.empty() ? "" : "; ", doubt);
    case GateVerdict::fine:
      break;
  }
  return doubt.empty() ? fine_text(result) : "nothing counts as failure: " + doubt;
}

}  // namespace benchctl

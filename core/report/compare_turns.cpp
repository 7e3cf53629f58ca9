#include "report/compare.hpp"

#include "report/format.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

/// What each process of a side tells with one of the other, or each that measured both: logarithms.
struct ProcessPairs {
  std::vector<double> ratios;   ///< time of new over that of base
  std::vector<double> middles;  ///< geometric mean of both times, in ns

  void add(double before, double now) {
    ratios.push_back(std::log(now / before));
    middles.push_back(std::log(now * before) / 2);
  }
};

ProcessPairs of_shared_processes(const Rounds& base, const Rounds& fresh) {
  std::map<std::uint32_t, ProcessPairs> processes;
  for (const auto& [round, before] : base) {
    const auto now = fresh.find(round);
    if (now != fresh.end()) processes[round.first].add(before, now->second);
  }
  ProcessPairs pairs;
  for (const auto& [process, rounds] : processes) {
    pairs.ratios.push_back(stats::median(rounds.ratios));
    pairs.middles.push_back(stats::median(rounds.middles));
  }
  return pairs;
}

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
  const Point& point = point_of(result, pair).point();
  std::string text = point.workload + '/' + result.words.variant(point);
  const auto is_other_problem = [&](const ComparedPair& other) {
    const Point& one = point_of(result, other).point();
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

std::string seconds_text(const CompareResult& result) {
  return fmt::format("{:.{}f} s", result.turns->seconds, result.turns->seconds < 10 ? 1 : 0);
}

/// `, 8 processes, 11 s`.
std::string effort_text(const CompareResult& result) {
  const std::size_t processes = result.turns->looks.empty() ? 0 : result.turns->looks.back();
  std::string text = ", " + seconds_text(result);
  if (processes == 0) return text;
  return fmt::format(", {} {}{}", processes, result.turns->together ? "processes" : "pairs of processes",
                     text);
}

std::string undecided_text(const CompareResult& result, std::size_t open) {
  const double least = least_visible_change(result);
  const std::string machine = result.turns->machine.empty() ? "" : " (" + result.turns->machine + ')';
  std::string text = fmt::format("Undecided after {}: ", seconds_text(result));
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

void judge_processes(const CompareResult& result, ComparedPair& pair, const ProcessPairs& processes) {
  const Result& base = result.base->points[*pair.base];
  const Result& fresh = result.fresh->points[*pair.fresh];
  const std::vector<std::size_t>& looks = result.turns->looks;
  std::vector<double> ratios;
  for (const double log : processes.ratios) ratios.push_back(std::exp(log));
  const auto usable = [](double ratio) { return ratio > 0 && std::isfinite(ratio); };
  pair.outcome = PairOutcome::not_resolved;
  pair.process_spread = no_number;
  if (looks.empty() || looks.back() > ratios.size() || !std::ranges::all_of(ratios, usable)) {
    pair.ratio = fresh.measurement->median_ns / base.measurement->median_ns;
    pair.reason = "too few processes";
    return;
  }
  const stats::SequentialRatio alone = stats::judge_pairs(ratios, looks, pair.threshold, 1);
  const stats::SequentialRatio joint =
      stats::judge_pairs(ratios, looks, pair.threshold, result.comparisons);
  pair.ratio = joint.ratio.ratio;
  pair.interval = alone.ratio.interval;
  pair.joint_interval = joint.ratio.interval;
  pair.outcome = outcome_of(joint.verdict);
  const double middle = stats::mean(std::span(processes.middles).first(looks.back()));
  pair.paired_ns = {std::exp(middle) / std::sqrt(pair.ratio), std::exp(middle) * std::sqrt(pair.ratio)};
  if (const stats::RunSpread spread = stats::pooled_spread({&processes.ratios, 1}); spread.freedom > 0) {
    // A ratio of two processes has the scatter of both, which scatter alike.
    pair.process_spread = spread.deviation / (result.turns->together ? 1 : std::sqrt(2));
  }
  if (joint.unconfirmed) {
    pair.doubted = PairOutcome::slower;
    pair.reason = "slower, but no further process has confirmed it";
  }
}

}  // namespace

void judge_in_turns(const CompareResult& result, std::span<ComparedPair* const> judged) {
  const CompareSide& one = *result.base;
  const CompareSide& other = *result.fresh;
  for (ComparedPair* pair : judged) {
    const Result& base = one.points[*pair->base];
    const Result& fresh = other.points[*pair->fresh];
    if (result.turns->together) {
      judge_processes(result, *pair, of_shared_processes(rounds_of(one, base), rounds_of(other, fresh)));
      continue;
    }
    const std::vector<double> before = process_medians(one, base);
    const std::vector<double> now = process_medians(other, fresh);
    ProcessPairs processes;
    for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i) processes.add(before[i], now[i]);
    judge_processes(result, *pair, processes);
  }
}

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

std::string turns_text(const CompareResult& result, const std::string& failures) {
  const std::size_t slower = count_of(result, PairOutcome::slower);
  const std::size_t open = count_of(result, PairOutcome::not_resolved);
  const auto only_slower = [&] {
    return std::ranges::all_of(result.pairs, [](const ComparedPair& pair) {
      return !pair.fails || pair.outcome == PairOutcome::slower ||
             pair.outcome == PairOutcome::not_resolved;
    });
  };
  switch (result.verdict) {
    case GateVerdict::regressed:
      return "Regression: " +
             (slower > 0 && only_slower() ? changes_text(result, PairOutcome::slower) : failures) +
             effort_text(result);
    case GateVerdict::failed:
      return "Failed: " + failures;
    case GateVerdict::not_comparable:
      return "Not comparable: " + failures;
    case GateVerdict::not_resolved:
    case GateVerdict::fine:
      break;
  }
  if (open > 0) return undecided_text(result, open);
  if (result.verdict == GateVerdict::not_resolved) return "Undecided: " + failures + effort_text(result);
  if (result.comparisons == 0) return "Nothing to compare: no row has times on both sides";
  if (slower > 0)
    return "No failure, as the policy has it: " + changes_text(result, PairOutcome::slower) +
           effort_text(result);
  if (count_of(result, PairOutcome::faster) > 0)
    return "Faster: " + changes_text(result, PairOutcome::faster) + effort_text(result);
  return fmt::format("No change: {0} of {0} {1} within ±{2} (95 %){3}", format_count(result.comparisons),
                     result.comparisons == 1 ? "row" : "rows", format_percent(result.threshold),
                     effort_text(result));
}

}  // namespace benchctl

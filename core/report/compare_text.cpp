#include "report/compare_documents.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

/// Beyond so many pairs a list shows only what has changed.
constexpr std::size_t long_list = 40;

/// Rows of a table that is not to grow too long: `rows_listed` of those that fail, and as many others.
class ListedRows {
 public:
  explicit ListedRows(bool all) : all_(all) {}
  /// Is the next row listed?
  [[nodiscard]] bool next(bool fails) { return all_ || ++(fails ? failing_ : others_) <= rows_listed; }
  /// What is said of the others.
  [[nodiscard]] std::string rest() const {
    const std::size_t left_out = beyond(failing_) + beyond(others_);
    return left_out > 0 ? not_listed(left_out, "more rows", "--all") : std::string();
  }

 private:
  static std::size_t beyond(std::size_t rows) { return rows > rows_listed ? rows - rows_listed : 0; }

  bool all_;
  std::size_t failing_ = 0;
  std::size_t others_ = 0;
};

bool is_quiet(const ComparedPair& pair) {
  const bool of_metrics = std::ranges::all_of(
      pair.metrics, [](const ComparedMetric& metric) { return metric.outcome == PairOutcome::same; });
  return (pair.outcome == PairOutcome::same || pair.outcome == PairOutcome::untimed) && of_metrics &&
         !pair.fails;
}

std::string ratio_text(double ratio) { return std::isnan(ratio) ? "" : format_significant(ratio, 4); }

std::string interval_text(const stats::Interval& interval) {
  return interval.known() ? fmt::format("{}–{}", format_significant(interval.low, 4),
                                        format_significant(interval.high, 4))
                          : "";
}

std::string time_text(const CompareSide& side, std::optional<std::size_t> place,
                      std::optional<double> paired) {
  if (!place || !side.points[*place].timed()) return {};
  if (paired) return format_duration(*paired);
  return format_duration(side.points[*place].measurement->median_ns);
}

PointWords words_of(const CompareResult& result) {
  PointWords words;
  for (const ComparedPair& pair : result.pairs) words.add(point_of(result, pair).point);
  return words;
}

std::string problem_text(const PointWords& words, const Point& point) {
  const std::string problem = words.problem(point);
  return first_line(problem.empty() ? point.workload : point.workload + ' ' + problem);
}

std::string device_text(const CompareResult& result, const ComparedPair& pair) {
  const std::string& own = point_of(result, pair).point.device;
  if (!pair.lane || !pair.base || !pair.fresh) return first_line(own);
  const std::string& other = result.lanes[*pair.lane].fresh;
  return first_line(other == own ? own : own + " → " + other);
}

std::string change_text(const ComparedPair& pair) {
  return std::string(info(pair.outcome).label) + (pair.fails ? " (!)" : "");
}

std::string pairs_table(const CompareResult& result, const CompareTextOptions& options) {
  TextTable table({{"problem"},
                   {"variant"},
                   {"device"},
                   {"measured as"},
                   {"base", true},
                   {"new", true},
                   {"new / base", true},
                   {"95 % interval", true},
                   {"change"},
                   {"remarks"}});
  const PointWords words = words_of(result);
  const bool brief = !options.all && result.pairs.size() > long_list;
  std::size_t left_out = 0;
  ListedRows listed(options.all);
  for (const ComparedPair& pair : result.pairs) {
    if (brief && is_quiet(pair)) {
      ++left_out;
      continue;
    }
    if (!listed.next(pair.fails)) continue;
    const Point& point = point_of(result, pair).point;
    std::string remarks = pair.reason;
    if (remarks.empty() && pair.with_warnings) remarks = "with reservations";
    std::optional<double> base_ns;
    std::optional<double> fresh_ns;
    if (pair.paired_ns) std::tie(base_ns, fresh_ns) = *pair.paired_ns;
    table.add({problem_text(words, point), words.variant(point), device_text(result, pair),
               PointWords::measured_as(point), time_text(*result.base, pair.base, base_ns),
               time_text(*result.fresh, pair.fresh, fresh_ns), ratio_text(pair.ratio),
               interval_text(pair.interval), change_text(pair), first_line(remarks)},
              pair.fails);
  }
  std::string text;
  if (!table.empty())
    text = (options.markdown ? table.markdown() : table.text(options.colours, options.width)) + '\n';
  if (left_out > 0) text += not_listed(left_out, "pairs that are the same or have no times", "--all");
  return text + listed.rest();
}

std::string metrics_table(const CompareResult& result, const CompareTextOptions& options) {
  TextTable table({{"problem"},
                   {"variant"},
                   {"device"},
                   {"metric"},
                   {"base", true},
                   {"new", true},
                   {"new / base", true},
                   {"95 % interval", true},
                   {"change"}});
  if (std::ranges::all_of(result.pairs, [](const ComparedPair& pair) { return pair.metrics.empty(); })) {
    return {};
  }
  const PointWords words = words_of(result);
  std::set<std::string> single;
  ListedRows listed(options.all);
  for (const ComparedPair& pair : result.pairs) {
    const Point& point = point_of(result, pair).point;
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.single_value && !std::isnan(metric.fresh)) single.insert(metric.metric);
      if (metric.outcome == PairOutcome::same && !options.all) continue;
      if (!listed.next(metric.fails)) continue;
      const std::string_view change = metric.outcome == PairOutcome::slower   ? "worse"
                                      : metric.outcome == PairOutcome::faster ? "better"
                                                                              : info(metric.outcome).label;
      table.add({problem_text(words, point), words.variant(point), device_text(result, pair), metric.metric,
                 format_significant(metric.base),
                 std::isnan(metric.fresh) ? "" : format_significant(metric.fresh), ratio_text(metric.ratio),
                 interval_text(metric.interval), fmt::format("{}{}", change, metric.fails ? " (!)" : "")},
                metric.fails);
    }
  }
  std::string text;
  if (!table.empty())
    text = (options.markdown ? table.markdown() : table.text(options.colours, options.width)) + '\n';
  text += listed.rest();
  if (!single.empty()) {
    text += fmt::format(
        "Compared as single values, without an interval: {}. Nothing says how far they scatter.\n\n",
        first_line_in(fmt::format("{}", fmt::join(single, ", ")), options.markdown));
  }
  return text;
}

std::string counts_text(const std::map<PairOutcome, std::size_t>& counts) {
  std::string text;
  for (const auto& [outcome, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(count), info(outcome).label);
  }
  return text;
}

std::string summary_table(const CompareResult& result, const CompareTextOptions& options) {
  TextTable table(
      {{"workload"}, {"pairs", true}, {"geometric mean", true}, {"95 % interval", true}, {"change"}});
  const auto add = [&](const RatioSummary& summary, const std::string& name) {
    table.add({name, format_count(summary.mean.n), ratio_text(summary.mean.ratio),
               interval_text(summary.mean.interval), counts_text(summary.counts)});
  };
  for (const RatioSummary& summary : result.workloads) add(summary, first_line(summary.workload));
  if (result.workloads.size() > 1) add(result.all, "all");
  return table.empty()
             ? ""
             : (options.markdown ? table.markdown() : table.text(options.colours, options.width)) + '\n';
}

/// Text of others in a line of Markdown: marks stay marks of the text.
std::string side_text(const char* name, const CompareSide& side, const CompareTextOptions& options) {
  const std::string title = side.run.title.empty() ? side.run.name : side.run.title;
  std::string text =
      fmt::format("{}{}: {}, {}, begun {}, benchctl {}", options.markdown ? "- " : "", name,
                  first_line_in(side.label, options.markdown), first_line_in(title, options.markdown),
                  first_line(side.run.created_at), first_line_in(side.run.version, options.markdown));
  if (state_now(side.run) != RunState::complete)
    text += fmt::format(", {}", to_string(state_now(side.run)));
  return text + '\n';
}

std::string lanes_text(const CompareResult& result, const CompareTextOptions& options) {
  std::string text;
  const auto line = [&](const std::string& sentence) {
    text +=
        fmt::format("{}{}\n", options.markdown ? "- " : "  ", first_line_in(sentence, options.markdown));
  };
  for (const ComparedLane& lane : result.lanes) {
    if (lane.fresh.empty()) {
      line(fmt::format("{}: base alone has this device", lane.base));
    } else if (lane.base.empty()) {
      line(fmt::format("{}: new alone has this device", lane.fresh));
    } else if (lane.verdict != Comparability::comparable) {
      line(fmt::format("{}: {}", lane.base,
                       lane.verdict == Comparability::not_comparable
                           ? "not comparable"
                           : "comparable with reservations: a change may come from what differs"));
      for (const std::string& reason : lane.reasons) line("  " + reason);
    }
  }
  for (const std::string& file : result.changed_files) line("kernels: " + file);
  return text.empty() ? "" : (options.markdown ? "### Conditions\n\n" : "conditions\n") + text + '\n';
}

std::string number_of(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", format_count(count), one, count == 1 ? "" : "s");
}

/// Where the spread between processes comes from: a sentence.
std::string spread_text(const CompareResult& result) {
  const SpreadSource& spread = result.spread;
  if (result.comparisons == 0) return {};
  if (result.turns) {
    const std::vector<std::size_t>& looks = result.turns->looks;
    const std::size_t processes = looks.empty() ? 0 : looks.back();
    return fmt::format("{} and looked at {}: the intervals hold at all looks.",
                       result.turns->together
                           ? fmt::format("{} processes measured both sides in common rounds", processes)
                           : fmt::format("The sides had {} pairs of processes in turns", processes),
                       number_of(looks.size(), "time"));
  }
  if (spread.given) return "The spread between processes is as given.";
  std::vector<std::string> parts;
  if (spread.replicated > 0) parts.emplace_back("from the replicates of the two runs");
  if (spread.from_runs > 0) {
    parts.push_back(fmt::format("from {} of {}", number_of(spread.runs, "other run"),
                                number_of(spread.builds, "build")));
  }
  if (spread.unknown > 0) parts.push_back("unknown for " + number_of(spread.unknown, "pair"));
  return fmt::format("The spread between processes: {}.", fmt::join(parts, "; "));
}

std::string_view ratio_words(const CompareResult& result) {
  if (!result.turns) return "the ratio of median times";
  return result.turns->together
             ? "the geometric mean over processes of the median ratio of their rounds, and base and new "
               "are "
               "times that belong to it"
             : "the geometric mean of the ratios of pairs of processes, and base and new are times that "
               "belong to it";
}

}  // namespace

std::string compare_text(const CompareResult& result, const CompareTextOptions& options) {
  const std::string verdict =
      fmt::format("{0}{1}{0}\n", options.markdown ? "**" : "",
                  options.markdown ? escaped_markdown(verdict_text(result)) : verdict_text(result));
  // `ab` says the answer first; `compare` says it last, where a long list ends.
  std::string text = result.turns ? verdict + '\n' : "";
  if (options.markdown) text += "## Comparison\n\n";
  text += side_text("base", *result.base, options) + side_text("new", *result.fresh, options);
  text += fmt::format(
      "{}new / base is {}: above 1 is slower. Differences of up to {} do not "
      "matter; {} judged, {}. {}\n\n",
      options.markdown ? "\n" : "", ratio_words(result), format_percent(result.threshold),
      number_of(result.comparisons, "ratio"),
      result.false_discovery_rate ? "of whose differences 5 % are false in the mean"
                                  : "which hold together at 95 %",
      spread_text(result));
  text += lanes_text(result, options) + pairs_table(result, options) + metrics_table(result, options) +
          summary_table(result, options) + (result.turns ? "" : verdict);
  return fit_lines(text, options.width);
}

std::string compare_summary(const CompareResult& result) {
  const std::string text = compare_text(result, {.markdown = true, .colours = false, .all = false});
  return result.turns ? text : fmt::format("**{}**\n\n{}", escaped_markdown(verdict_text(result)), text);
}

}  // namespace benchctl

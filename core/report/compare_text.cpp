#include "report/compare.hpp"
#include "report/format.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace benchctl {

namespace {

/// Beyond so many pairs a list shows only what has changed.
constexpr std::size_t long_list = 40;

bool is_quiet(const ComparedPair& pair) {
  const bool of_metrics = std::ranges::all_of(
      pair.metrics, [](const ComparedMetric& metric) { return metric.outcome == PairOutcome::same; });
  return (pair.outcome == PairOutcome::same || pair.outcome == PairOutcome::untimed) && of_metrics &&
         !pair.fails;
}

std::string interval_text(const stats::Interval& interval) {
  return interval.known() ? fmt::format("{}–{}", format_significant(interval.low, 4),
                                        format_significant(interval.high, 4))
                          : "";
}

/// A row of a table: a pair, or one of its metrics.
struct Listed {
  const ComparedPair* pair = nullptr;
  const ComparedMetric* metric = nullptr;

  [[nodiscard]] const ComparedFigure& figure() const {
    return metric != nullptr ? static_cast<const ComparedFigure&>(*metric) : *pair;
  }
  [[nodiscard]] bool fails() const { return figure().fails; }
  [[nodiscard]] Hint hint() const { return metric != nullptr ? Hint::rate : Hint::time; }
};

std::string problem_words(const PointWords& words, const Point& point) {
  const std::string problem = words.problem(point);
  return first_line(problem.empty() ? point.workload : point.workload + ' ' + problem);
}

std::string device_text(const CompareResult& result, const ComparedPair& pair) {
  const std::string& own = pair.point().device;
  if (!pair.lane || !pair.base_point || !pair.fresh_point) return first_line(own);
  const std::string& other = result.lanes[*pair.lane].fresh;
  return first_line(other == own ? own : own + " → " + other);
}

std::string change_text(const Listed& row) {
  const PairOutcome outcome = row.figure().outcome;
  std::string_view change = info(outcome).label;
  if (row.metric != nullptr && outcome == PairOutcome::slower) change = "worse";
  if (row.metric != nullptr && outcome == PairOutcome::faster) change = "better";
  return fmt::format("{}{}", change, row.fails() ? " (!)" : "");
}

std::string remarks_text(const Listed& row) {
  if (row.metric != nullptr) return {};
  return !row.pair->reason.empty() || !row.pair->with_warnings ? first_line(row.pair->reason)
                                                               : "with reservations";
}

/// Columns for pairs and for metrics: a table leaves out those without any text.
std::vector<Column<Listed>> pair_columns(const CompareResult& result) {
  using Row = const Listed&;
  return {{{"problem"}, [&](Row row) { return problem_words(result.words, row.pair->point()); }},
          {{"variant"}, [&](Row row) { return result.words.variant(row.pair->point()); }},
          {{"device"}, [&](Row row) { return device_text(result, *row.pair); }},
          {{"measured as"},
           [](Row row) { return row.metric != nullptr ? "" : PointWords::measured_as(row.pair->point()); }},
          {{"metric"}, [](Row row) { return row.metric != nullptr ? row.metric->metric : ""; }},
          {{"base", true}, [](Row row) { return Cell(row.figure().base, row.hint()); }},
          {{"new", true}, [](Row row) { return Cell(row.figure().fresh, row.hint()); }},
          {{"new / base", true}, [](Row row) { return Cell(row.figure().ratio, Hint::rate); }},
          {{"95 % interval", true}, [](Row row) { return interval_text(row.figure().interval); }},
          {{"change"}, change_text},
          {{"remarks"}, remarks_text}};
}

/// A table, what is said of rows that it leaves out, and how many more there are. Unless the options say
/// `all`, it lists `rows_listed` of the rows that fail, and as many others.
std::string rows_text(const CompareResult& result, std::vector<Listed> rows, const std::string& left_out,
                      const TableOptions& options) {
  std::map<bool, std::size_t> listed;
  const std::size_t all = rows.size();
  if (!options.all)
    std::erase_if(rows, [&](const Listed& row) { return ++listed[row.fails()] > rows_listed; });
  const std::size_t more = all - rows.size();
  return TextTable(pair_columns(result), rows, &Listed::fails).written(options) + left_out +
         (more > 0 ? not_listed(more, "more rows", "--all") : "");
}

std::string pairs_text(const CompareResult& result, const TableOptions& options) {
  const bool brief = !options.all && result.pairs.size() > long_list;
  std::vector<Listed> rows;
  for (const ComparedPair& pair : result.pairs) {
    if (!brief || !is_quiet(pair)) rows.push_back({&pair});
  }
  const std::size_t quiet = result.pairs.size() - rows.size();
  return rows_text(result, std::move(rows),
                   quiet > 0 ? not_listed(quiet, "pairs that are the same or have no times", "--all") : "",
                   options);
}

std::string metrics_text(const CompareResult& result, const TableOptions& options) {
  std::set<std::string> single;
  std::vector<Listed> rows;
  for (const ComparedPair& pair : result.pairs) {
    for (const ComparedMetric& metric : pair.metrics) {
      if (metric.single_value && !std::isnan(metric.fresh)) single.insert(metric.metric);
      if (metric.outcome != PairOutcome::same || options.all) rows.push_back({&pair, &metric});
    }
  }
  const std::string text = rows_text(result, std::move(rows), "", options);
  if (single.empty()) return text;
  return text +
         fmt::format(
             "Compared as single values, without an interval: {}. Nothing says how far they scatter.\n\n",
             first_line_in(fmt::format("{}", fmt::join(single, ", ")), options.markdown));
}

std::string summary_text(const CompareResult& result, const TableOptions& options) {
  const std::vector<Column<RatioSummary>> columns{
      {{"workload"}, [](const RatioSummary& summary) { return first_line(summary.workload); }},
      {{"pairs", true}, [](const RatioSummary& summary) { return format_count(summary.mean.n); }},
      {{"geometric mean", true},
       [](const RatioSummary& summary) { return Cell(summary.mean.ratio, Hint::rate); }},
      {{"95 % interval", true},
       [](const RatioSummary& summary) { return interval_text(summary.mean.interval); }},
      {{"change"}, counts_text}};
  std::vector<RatioSummary> rows = result.workloads;
  if (rows.size() > 1) rows.push_back(result.all);
  if (rows.size() > 1) rows.back().workload = "all";
  return TextTable(columns, rows).written(options);
}

/// Text of others in a line of Markdown: marks stay marks of the text.
std::string side_text(const char* name, const CompareSide& side, const TableOptions& options) {
  const std::string title = side.run.title.empty() ? side.run.name : side.run.title;
  std::string text =
      fmt::format("{}{}: {}, {}, begun {}, benchctl {}", options.markdown ? "- " : "", name,
                  first_line_in(side.label, options.markdown), first_line_in(title, options.markdown),
                  first_line(side.run.created_at), first_line_in(side.run.version, options.markdown));
  if (state_now(side.run) != RunState::complete)
    text += fmt::format(", {}", to_string(state_now(side.run)));
  return text + '\n';
}

std::string lanes_text(const CompareResult& result, const TableOptions& options) {
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
  return below_heading("Conditions", "conditions", text.empty() ? text : text + '\n', options);
}

/// Where the spread between processes comes from: a sentence.
std::string spread_text(const CompareResult& result) {
  const SpreadSource& spread = result.spread;
  if (result.comparisons == 0) return {};
  if (const auto& turns = result.options.turns) {
    const std::vector<std::size_t>& looks = turns->looks;
    const std::size_t processes = looks.empty() ? 0 : looks.back();
    return fmt::format("{} and looked at {}: the intervals hold at all looks.",
                       turns->together
                           ? fmt::format("{} processes measured both sides in common rounds", processes)
                           : fmt::format("The sides had {} pairs of processes in turns", processes),
                       counted(looks.size(), "time"));
  }
  if (result.options.process_spread) return "The spread between processes is as given.";
  std::vector<std::string> parts;
  if (spread.replicated > 0) parts.emplace_back("from the replicates of the two runs");
  if (spread.from_runs > 0) {
    parts.push_back(
        fmt::format("from {} of {}", counted(spread.runs, "other run"), counted(spread.builds, "build")));
  }
  if (spread.unknown > 0) parts.push_back("unknown for " + counted(spread.unknown, "pair"));
  return fmt::format("The spread between processes: {}.", fmt::join(parts, "; "));
}

std::string_view ratio_words(const CompareResult& result) {
  const auto& turns = result.options.turns;
  if (!turns) return "the ratio of median times";
  return turns->together ? "the geometric mean over processes of the median ratio of their rounds, "
                           "and base and new are times that belong to it"
                         : "the geometric mean of the ratios of pairs of processes, and base and "
                           "new are times that belong to it";
}

}  // namespace

std::string compare_text(const CompareResult& result, const TableOptions& options) {
  const std::string verdict =
      fmt::format("{0}{1}{0}\n", options.markdown ? "**" : "",
                  options.markdown ? escaped_markdown(verdict_text(result)) : verdict_text(result));
  // On a terminal `compare` says the answer last, where a long list ends.
  const bool first = result.options.turns || options.markdown;
  std::string text = first ? verdict + '\n' : "";
  if (options.markdown) text += "## Comparison\n\n";
  text += side_text("base", *result.base, options) + side_text("new", *result.fresh, options);
  text += fmt::format(
      "{}new / base is {}: above 1 is slower. Differences of up to {} do not matter; {} compared, {}. "
      "{}\n\n",
      options.markdown ? "\n" : "", ratio_words(result), format_percent(result.options.threshold),
      counted(result.comparisons, "ratio"),
      result.options.policy.false_discovery_rate ? "of whose differences 5 % are false in the mean"
      : result.comparisons == 1                  ? "at 95 %"
                                                 : "which hold together at 95 %",
      spread_text(result));
  text += lanes_text(result, options) + pairs_text(result, options) + metrics_text(result, options) +
          summary_text(result, options) + (first ? "" : verdict);
  return fit_lines(text, options.width);
}

}  // namespace benchctl

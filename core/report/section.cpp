#include "report/table.hpp"

#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/point_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace benchctl {

namespace {

Answer answer_of(const Report& report, std::size_t number, std::size_t platform) {
  Answer answer{.comparison = number, .platform = platform};
  std::optional<std::size_t> own;
  std::vector<std::size_t> rows;
  for (const std::size_t row : report.comparisons[number].rows) {
    if (report.places[row].platform != platform) continue;
    const Rank& rank = report.places[row].rank;
    rows.push_back(row);
    if (rank.best) answer.best = row;
    if (rank.own.best) own = row;
    if (rank.ties) answer.ties.push_back(row);
  }
  if (!answer.best) {
    answer.why_none = why_none_wins(report, rows);
  } else if (report.rows[*answer.best].row.vendor) {
    answer.own = own;
  }
  return answer;
}

}  // namespace

std::string why_none_wins(const Report& report, std::span<const std::size_t> rows) {
  std::size_t wrong = 0;
  std::size_t undecided = 0;
  for (const std::size_t row : rows) {
    if (report.rows[row].point().expect == Expect::wrong) {
      ++wrong;
    } else if (!report.rows[row].note(audit_undecided_note).empty()) {
      ++undecided;
    }
  }
  std::vector<std::string> reasons;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) reasons.push_back(fmt::format("{} {}", count, what));
  };
  add(wrong, "expected to be wrong");
  add(undecided, "with an undecided audit");
  add(rows.size() - wrong - undecided, "above the measured roof");
  return fmt::format("{}", fmt::join(reasons, ", "));
}

std::vector<Answer> answers_of(const Report& report, std::size_t comparison) {
  std::vector<Answer> answers;
  for (const std::size_t platform : report.comparisons[comparison].platforms)
    answers.push_back(answer_of(report, comparison, platform));
  return answers;
}

std::vector<Answer> answers_of(const Report& report) {
  std::vector<Answer> answers;
  for (std::size_t number = 0; number < report.comparisons.size(); ++number) {
    std::ranges::move(answers_of(report, number), std::back_inserter(answers));
  }
  return answers;
}

std::string problem_text(const ProblemKey& key) {
  const std::string problem = to_text(key.parameters);
  return problem.empty() ? key.workload : key.workload + ' ' + problem;
}

std::string verdict_word(const Comparison& comparison) {
  std::string word(to_string(comparison.verdict));
  std::ranges::replace(word, '_', ' ');
  return word;
}

std::string variant_text(const Result& row) {
  const Point& point = row.point();
  std::string text = point.variant;
  if (!point.tunables.empty()) text += ' ' + to_text(point.tunables);
  if (!point.layout.empty()) text += " layout=" + point.layout;
  if (!point.apart.empty()) text += ' ' + point.apart;
  return text;
}

namespace {

/// Lists that grow with the points, in Markdown.
constexpr std::size_t longest_list = 60;

/// Why the share of the datasheet is missing for whole devices; nothing where it is for none.
std::string datasheet_note(const Report& report) {
  if (report.platforms.size() < 2) return {};
  std::string without;
  for (const Platform& platform : report.platforms) {
    if (platform.known && platform.datasheet.peaks.empty()) {
      without += (without.empty() ? "" : ", ") + platform.label;
    }
  }
  if (without.empty()) return {};
  return fmt::format("No figures of a datasheet are known for {}: its backend tells none.", without);
}

/// `, 16 threads` if the row beside it ran on another number.
std::string threads_beside(const Result& row, const Result& other) {
  const std::string threads = row.threads();
  return threads.empty() || threads == other.threads() ? "" : ", " + threads;
}

/// The fastest that is not a vendor library, where the fastest is one.
Cell own_cell(const Report& report, const Answer& answer) {
  if (!answer.own) return {};
  const Result& own = report.rows[*answer.own];
  return {fmt::format("{}, {}{}", variant_text(own), format_duration(median_of(own)),
                      threads_beside(own, report.rows[*answer.best])),
          answer.own};
}

Cell best_cell(const Report& report, const Answer& answer) {
  if (!answer.best) return "none: " + answer.why_none;
  const Result& best = report.rows[*answer.best];
  return {variant_text(best) + (answer.own ? threads_beside(best, report.rows[*answer.own]) : ""),
          answer.best};
}

std::string ties_text(const Report& report, const Answer& answer) {
  constexpr std::size_t ties_told = 4;
  return few_of(names_of(answer.ties, [&](std::size_t row) { return variant_text(report.rows[row]); }),
                ties_told, "; ");
}

/// One row a device, problem by problem.
Section fastest_of_devices(const Report& report) {
  const auto comparison_of = [&](const Answer& answer) -> const IdenticalProblem& {
    return report.comparisons[answer.comparison];
  };
  /// A figure of the fastest, if there is one.
  const auto of_best = [&](std::string_view metric, Hint hint) {
    return [&report, metric, hint](const Answer& answer) {
      return answer.best ? Cell(report.rows[*answer.best].metric(metric), hint) : Cell();
    };
  };
  const std::vector<Column<Answer>> columns{
      {TextColumn("problem").heading(),
       [&](const Answer& answer) { return problem_text(comparison_of(answer).key.problem); }},
      {TextColumn("measured as").heading(),
       [&](const Answer& answer) {
         return PointWords::measured_as(report.rows[comparison_of(answer).rows.front()].point());
       }},
      {{"device"}, [&](const Answer& answer) { return report.platforms[answer.platform].label; }},
      {{"fastest"}, [&](const Answer& answer) { return best_cell(report, answer); }},
      {{"time (range)"},
       [&](const Answer& answer) {
         return answer.best ? format_time(*report.rows[*answer.best].measurement) : std::string();
       }},
      {{"vs best device", true},
       [&](const Answer& answer) {
         return answer.best ? Cell(report.places[*answer.best].rank.versus_devices, Hint::ratio) : Cell();
       }},
      {{"GFLOP/s", true}, of_best("gflops", Hint::rate)},
      {{"GB/s", true}, of_best("gbytes_per_s", Hint::rate)},
      {{"of roof", true}, of_best("roof_fraction", Hint::share)},
      {{"of datasheet", true},
       [&](const Answer& answer) {
         return answer.best ? Cell(report.places[*answer.best].datasheet_share, Hint::share) : Cell();
       }},
      {{"ties with"}, [&](const Answer& answer) { return ties_text(report, answer); }},
      {{"fastest non-vendor"}, [&](const Answer& answer) { return own_cell(report, answer); }}};
  Section section{.title = "Fastest of each device", .note = {}, .columns = heads_of(columns)};
  section.after = datasheet_note(report);
  for (const Answer& answer : answers_of(report)) {
    const std::size_t about =
        answer.best ? *answer.best
                    : *std::ranges::find(comparison_of(answer).rows, answer.platform,
                                         [&](std::size_t row) { return report.places[row].platform; });
    section.rows.push_back({about, cells_of(columns, answer)});
  }
  return section;
}

Section portability(const Report& report) {
  const std::vector<Column<Portability>> columns{
      {TextColumn("problem").heading(),
       [&](const Portability& entry) {
         return problem_text(report.comparisons[entry.comparison].key.problem);
       }},
      {{"variant"}, [](const Portability& entry) { return entry.variant; }},
      {{"application", true},
       [](const Portability& entry) { return Cell(entry.application_score, Hint::number); }},
      {{"architectural", true},
       [](const Portability& entry) { return Cell(entry.architectural_score, Hint::number); }}};
  Section section{
      .title = "Performance portability",
      .note =
          "Harmonic mean of a variant's efficiency over all devices of the problem, of variants that each "
          "of these has; 0 where it failed (Pennycook, Sewall and Lee). Application: the fastest time of "
          "the device over the variant's; architectural: the share of the measured roof.",
      .columns = heads_of(columns)};
  for (const Portability& entry : report.portability) {
    section.rows.push_back({report.comparisons[entry.comparison].rows.front(), cells_of(columns, entry)});
  }
  return section;
}

/// A section with a row for each of these rows of the report.
Section section_of_rows(std::string title, std::string note, const std::vector<std::size_t>& rows,
                        const std::vector<Column<std::size_t>>& columns) {
  Section section{.title = std::move(title), .note = std::move(note), .columns = heads_of(columns)};
  section.most = longest_list;
  for (const std::size_t row : rows) section.rows.push_back({row, cells_of(columns, row)});
  return section;
}

Section against_baseline(const Report& report) {
  std::vector<std::size_t> compared;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (report.rows[i].compared(Against::baseline) != nullptr &&
        report.places[i].comparison != RowPlace::none) {
      compared.push_back(i);
    }
  }
  const auto baseline_of = [&](std::size_t i) { return *report.rows[i].compared(Against::baseline); };
  return section_of_rows(
      "Against the baseline, by paired rounds", "", compared,
      {{TextColumn("problem").heading(),
        [&](std::size_t i) {
          return problem_text(report.comparisons[report.places[i].comparison].key.problem);
        }},
       {{"device"}, [&](std::size_t i) { return report.platforms[report.places[i].platform].label; }},
       {{"variant"}, [&](std::size_t i) { return Cell(variant_text(report.rows[i]), i); }},
       {{"speed vs baseline", true},
        [&](std::size_t i) { return Cell(1 / baseline_of(i).time_ratio, Hint::ratio); }},
       {{"interval", true},
        [&](std::size_t i) {
          const Comparison comparison = baseline_of(i);
          if (std::isnan(comparison.ci_low)) return std::string();
          return fmt::format("{}–{}", format_significant(1 / comparison.ci_high, 3),
                             format_significant(1 / comparison.ci_low, 3));
        }},
       {{"verdict"}, [&](std::size_t i) { return verdict_word(baseline_of(i)); }},
       {{"baseline"}, [&](std::size_t i) { return baseline_of(i).label; }}});
}

/// The largest difference first.
Section between_processes(const Report& report) {
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (!std::isnan(report.rows[i].metric("replicates"))) repeated.push_back(i);
  }
  std::ranges::stable_sort(repeated, std::greater{},
                           [&](std::size_t i) { return report.rows[i].metric("between_spread"); });
  const auto figure = [&](std::string_view metric, Hint hint) {
    return [&report, metric, hint](std::size_t i) { return Cell(report.rows[i].metric(metric), hint); };
  };
  return section_of_rows(
      "Between fresh processes", "Spread of the times within one process, and of the medians of several.",
      repeated,
      {{{"problem"}, [&](std::size_t i) { return problem_text(ProblemKey(report.rows[i].point())); }},
       {{"device"}, [&](std::size_t i) { return report.platforms[report.places[i].platform].label; }},
       {{"variant"}, [&](std::size_t i) { return Cell(variant_text(report.rows[i]), i); }},
       {{"replicates", true}, figure("replicates", Hint::rate)},
       {{"within", true}, figure("within_spread", Hint::share)},
       {{"between", true}, figure("between_spread", Hint::share)}});
}

}  // namespace

std::vector<Section> sections_of(const Report& report) {
  std::vector<Section> sections{fastest_of_devices(report), portability(report), against_baseline(report),
                                between_processes(report)};
  std::erase_if(sections, [](const Section& section) { return section.rows.empty(); });
  return sections;
}

}  // namespace benchctl

// The report as Markdown: for pull requests and for people without a browser.
#include "report/answers.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"
#include "stats/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace benchctl {

namespace {

std::string median_text(const ResultRow& row) { return format_duration(row.stored.measurement->median_ns); }

std::string roof_text(const ResultRow& row) {
  const double share = row.metric("roof_fraction");
  return std::isnan(share) ? "" : format_percent(share);
}

std::string datasheet_text(const Report& report, std::size_t row) {
  const double share = report.places[row].datasheet_share;
  return std::isnan(share) ? "" : format_percent(share);
}

/// Why the share of the datasheet is missing for whole devices; nothing where it is for none.
std::string datasheet_note(const Report& report) {
  std::string without;
  for (const Platform& platform : report.platforms) {
    if (platform.known && platform.datasheet.peaks.empty()) {
      without += (without.empty() ? "" : ", ") + platform.label;
    }
  }
  if (without.empty()) return {};
  return fmt::format("No figures of a datasheet are known for {}: its backend tells none.\n\n",
                     first_line_in(without, true));
}

std::string measured_as(const IdenticalProblem& comparison) {
  return fmt::format("{}, {}, {}", to_string(comparison.basis), to_string(comparison.cache),
                     to_string(comparison.launch));
}

/// `not resolved` for the id `not_resolved`; a word that is no verdict's stays as it is.
std::string verdict_word(const std::string& id) {
  const auto* const found = std::ranges::find(stats::verdict_table, id, &stats::VerdictInfo::id);
  return found != stats::verdict_table.end() ? std::string(found->label) : id;
}

std::string range_text(double low, double high) {
  return std::isnan(low) ? ""
                         : fmt::format("{}–{}", format_significant(low, 3), format_significant(high, 3));
}

/// `, 16 threads` if the row beside it ran on another number.
std::string threads_beside(const ResultRow& row, const ResultRow& other) {
  const std::string threads = row.threads();
  return threads.empty() || threads == other.threads() ? "" : ", " + threads;
}

/// The fastest of each device: one row a device, problem by problem.
std::string devices_table(const Report& report) {
  TextTable table({{"problem"},
                   {"measured as"},
                   {"device"},
                   {"fastest"},
                   {"time (range)"},
                   {"vs best device", true},
                   {"GFLOP/s", true},
                   {"GB/s", true},
                   {"of roof", true},
                   {"of datasheet", true},
                   {"ties with"},
                   {"fastest non-vendor"}});
  for (const Answer& answer : answers_of(report)) {
    const IdenticalProblem& comparison = report.comparisons[answer.comparison];
    std::vector<std::string> cells{problem_text(comparison), measured_as(comparison),
                                   report.platforms[answer.platform].label};
    if (!answer.best) {
      cells.push_back("none: " + answer.why_none);
      cells.resize(12);
      table.add(std::move(cells));
      continue;
    }
    const ResultRow& best = report.rows[*answer.best];
    std::string ties;
    for (const std::size_t row : answer.ties)
      ties += (ties.empty() ? "" : "; ") + variant_text(report.rows[row]);
    std::string fastest = variant_text(best);
    std::string own;
    if (answer.own) {
      const ResultRow& row = report.rows[*answer.own];
      fastest += threads_beside(best, row);
      own = fmt::format("{}, {}{}", variant_text(row), median_text(row), threads_beside(row, best));
    }
    const auto known = [](double value, std::string_view unit = "") {
      return std::isnan(value) ? std::string()
                               : format_significant(value, unit.empty() ? 4 : 3) + std::string(unit);
    };
    cells.insert(cells.end(),
                 {fastest, format_time(*best.stored.measurement), known(answer.versus_device, "×"),
                  known(best.gflops), known(best.gbytes_per_s), roof_text(best),
                  datasheet_text(report, *answer.best), ties, own});
    table.add(std::move(cells));
  }
  return table.empty() ? std::string()
                       : fmt::format("## Fastest of each device\n\n{}\n{}", table.markdown(),
                                     report.platforms.size() > 1 ? datasheet_note(report) : "");
}

constexpr std::size_t longest_list = 60;

std::string rest_text(std::size_t rows) {
  return rows > longest_list ? fmt::format("and {} more\n\n", format_count(rows - longest_list)) : "";
}

/// What paired rounds say of points against their baseline.
std::string paired_table(const Report& report) {
  TextTable table({{"problem"},
                   {"device"},
                   {"variant"},
                   {"speed vs baseline", true},
                   {"interval", true},
                   {"verdict"},
                   {"baseline"}});
  std::size_t rows = 0;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Comparison* comparison = report.rows[i].stored.compared(Against::baseline);
    if (comparison == nullptr || report.places[i].comparison == RowPlace::none || ++rows > longest_list)
      continue;
    table.add({problem_text(report.comparisons[report.places[i].comparison]),
               report.platforms[report.places[i].platform].label, variant_text(report.rows[i]),
               format_significant(1 / comparison->time_ratio, 3) + "×",
               range_text(1 / comparison->ci_high, 1 / comparison->ci_low),
               verdict_word(comparison->verdict), comparison->label});
  }
  if (table.empty()) return {};
  return fmt::format("## Against the baseline, by paired rounds\n\n{}\n{}", table.markdown(),
                     rest_text(rows));
}

/// How much fresh processes differ, the largest difference first.
std::string replicates_table(const Report& report) {
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (!std::isnan(report.rows[i].metric("replicates"))) repeated.push_back(i);
  }
  std::ranges::stable_sort(repeated, std::greater{},
                           [&](std::size_t i) { return report.rows[i].metric("between_spread"); });
  TextTable table(
      {{"problem"}, {"device"}, {"variant"}, {"replicates", true}, {"within", true}, {"between", true}});
  for (std::size_t place = 0; place < std::min(longest_list, repeated.size()); ++place) {
    const ResultRow& row = report.rows[repeated[place]];
    const std::string problem = to_text(row.point().problem);
    table.add({row.point().workload + (problem.empty() ? "" : ' ' + problem),
               report.platforms[report.places[repeated[place]].platform].label, variant_text(row),
               format_significant(row.metric("replicates")), format_percent(row.metric("within_spread")),
               format_percent(row.metric("between_spread"))});
  }
  if (table.empty()) return {};
  return fmt::format(
      "## Between fresh processes\n\nSpread of the times within one process, and of the medians of "
      "several.\n\n{}\n{}",
      table.markdown(), rest_text(repeated.size()));
}

std::string portability_table(const Report& report) {
  TextTable table({{"problem"}, {"variant"}, {"application", true}, {"architectural", true}});
  for (const Portability& entry : report.portability) {
    const auto score = [](double value) {
      return std::isnan(value) ? std::string() : format_significant(value, 3);
    };
    table.add({problem_text(report.comparisons[entry.comparison]), entry.variant,
               score(entry.application_score), score(entry.architectural_score)});
  }
  if (table.empty()) return {};
  return fmt::format(
      "## Performance portability\n\nHarmonic mean of a variant's efficiency over all devices of the "
      "problem, of variants that each of these has; 0 where it failed (Pennycook, Sewall and Lee). "
      "Application: the fastest time of the device over the variant's; architectural: the share of the "
      "measured roof.\n\n{}\n",
      table.markdown());
}

/// What a reader must know before comparing, counted.
std::string warnings_list(const Report& report) {
  if (report.warnings.empty()) return {};
  std::string text =
      fmt::format("## {} {}\n\n", report.warnings.size(), report.warnings.size() == 1 ? "note" : "notes");
  for (const std::string& warning : report.warnings) {
    text += fmt::format("- {}\n", first_line_in(warning, true));
  }
  return text + '\n';
}

}  // namespace

std::string report_markdown(const Report& report, const std::string& title) {
  std::string text = fmt::format("# {}\n\n", first_line_in(report_title(report, title), true));
  text += headlines_markdown(headlines_of(report));
  if (!text.ends_with("\n\n")) text += '\n';
  text += devices_table(report) + portability_table(report) + paired_table(report) +
          replicates_table(report) + warnings_list(report);
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    text += result_table(report, i, {.markdown = true, .published = true, .answer = false}) + '\n';
  }
  return text;
}

}  // namespace benchctl

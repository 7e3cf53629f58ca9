// The report as Markdown: for pull requests and for people without a browser.
#include "report/answers.hpp"
#include "report/documents.hpp"
#include "report/format.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace benchctl {

namespace {

std::string median_text(const ResultRow& row) { return format_duration(row.stored.measurement->median_ns); }

std::string half_width_text(const ResultRow& row) {
  const double width = row.relative_half_width();
  return std::isnan(width) ? "" : format_percent(width);
}

std::string roof_text(const ResultRow& row) {
  const double share = row.metric("roof_fraction");
  return std::isnan(share) ? "" : format_percent(share);
}

std::string measured_as(const IdenticalProblem& comparison) {
  return fmt::format("{}, {}, {}", to_string(comparison.basis), to_string(comparison.cache),
                     to_string(comparison.launch));
}

std::string answers_table(const Report& report) {
  TextTable table({{"problem"},
                   {"measured as"},
                   {"device"},
                   {"fastest"},
                   {"median", true},
                   {"±", true},
                   {"of roof", true},
                   {"as fast as it"},
                   {"fastest that is no vendor's"}});
  for (const Answer& answer : answers_of(report)) {
    const IdenticalProblem& comparison = report.comparisons[answer.comparison];
    const ResultRow& best = report.rows[answer.best];
    std::string ties;
    for (const std::size_t row : answer.ties)
      ties += (ties.empty() ? "" : "; ") + variant_text(report.rows[row]);
    std::string own;
    if (answer.own) {
      own = fmt::format("{}, {}", variant_text(report.rows[*answer.own]),
                        median_text(report.rows[*answer.own]));
    }
    table.add({problem_text(comparison), measured_as(comparison), report.platforms[answer.platform].label,
               variant_text(best), median_text(best), half_width_text(best), roof_text(best), ties, own});
  }
  return table.empty() ? std::string() : fmt::format("## Fastest of each device\n\n{}\n", table.markdown());
}

std::string ratio_text(const Estimate& ratio) {
  return ratio.interval.known() ? fmt::format("{}–{}", format_significant(ratio.interval.low, 3),
                                              format_significant(ratio.interval.high, 3))
                                : "";
}

/// The fastest of each device beside that of the first one.
std::string devices_table(const Report& report) {
  TextTable table({{"problem"},
                   {"device"},
                   {"fastest"},
                   {"median", true},
                   {"GFLOP/s", true},
                   {"GB/s", true},
                   {"of roof", true},
                   {"times as fast as the first", true},
                   {"95 % interval", true}});
  std::optional<Answer> first;
  for (const Answer& answer : answers_of(report)) {
    const IdenticalProblem& comparison = report.comparisons[answer.comparison];
    if (comparison.platforms.size() < 2) continue;
    if (!first || first->comparison != answer.comparison) first = answer;
    const ResultRow& row = report.rows[answer.best];
    const bool base = first->platform == answer.platform;
    const Estimate ratio = ratio_of(estimate_of(report.rows[first->best]), estimate_of(row));
    const auto rate = [](double value) {
      return std::isnan(value) ? std::string() : format_significant(value);
    };
    table.add({problem_text(comparison), report.platforms[answer.platform].label, variant_text(row),
               median_text(row), rate(row.gflops), rate(row.gbytes_per_s), roof_text(row),
               format_significant(ratio.value, 3) + "×", base ? "" : ratio_text(ratio)});
  }
  return table.empty() ? std::string()
                       : fmt::format("## Devices on identical problems\n\n{}\n", table.markdown());
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
      "problem, 0 where "
      "one of them has no such variant (Pennycook, Sewall and Lee). Application: the fastest time of the "
      "device over "
      "the variant's; architectural: the share of the measured roof.\n\n{}\n",
      table.markdown());
}

}  // namespace

std::string report_markdown(const Report& report, const DocumentOptions& options) {
  std::string text = fmt::format("# {}\n\n", first_line(report_title(report, options.title)));
  for (const std::string& warning : report.warnings) text += fmt::format("> {}\n>\n", first_line(warning));
  if (!report.warnings.empty()) text += '\n';
  text += answers_table(report) + devices_table(report) + portability_table(report);
  for (const ReportRun& run : report.runs) {
    text += result_table(*run.source.store, run.source.run, {.markdown = true}) + '\n';
  }
  return text;
}

}  // namespace benchctl

#include "report/section.hpp"

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

/// Lists that grow with the points, in Markdown.
constexpr std::size_t longest_list = 60;

/// Empty where there is no number.
std::string ratio_cell(double ratio, std::string_view unit = "") {
  return std::isnan(ratio) ? std::string() : format_significant(ratio, 3) + std::string(unit);
}

std::string rate_cell(double rate) { return std::isnan(rate) ? std::string() : format_significant(rate); }

std::string share_cell(double share) { return std::isnan(share) ? std::string() : format_percent(share); }

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

std::string measured_as(const IdenticalProblem& comparison) {
  return fmt::format("{}, {}, {}", to_string(comparison.basis), to_string(comparison.cache),
                     to_string(comparison.launch));
}

/// `not resolved` for the id `not_resolved`; any other word stays as it is.
std::string verdict_word(const std::string& id) {
  const auto* const found = std::ranges::find(stats::verdict_table, id, &stats::VerdictInfo::id);
  return found != stats::verdict_table.end() ? std::string(found->label) : id;
}

/// `, 16 threads` if the row beside it ran on another number.
std::string threads_beside(const ResultRow& row, const ResultRow& other) {
  const std::string threads = row.threads();
  return threads.empty() || threads == other.threads() ? "" : ", " + threads;
}

SectionRow answer_row(const Report& report, const Answer& answer) {
  const IdenticalProblem& comparison = report.comparisons[answer.comparison];
  SectionRow line{
      0, {problem_text(comparison), measured_as(comparison), report.platforms[answer.platform].label}};
  if (!answer.best) {
    line.about = *std::ranges::find(comparison.rows, answer.platform,
                                    [&](std::size_t row) { return report.places[row].platform; });
    line.cells.emplace_back("none: " + answer.why_none);
    line.cells.resize(12);
    return line;
  }
  line.about = *answer.best;
  const ResultRow& best = report.rows[*answer.best];
  std::string ties;
  constexpr std::size_t ties_named = 3;
  for (std::size_t i = 0; i < std::min(ties_named, answer.ties.size()); ++i) {
    ties += (i == 0 ? "" : "; ") + variant_text(report.rows[answer.ties[i]]);
  }
  if (answer.ties.size() > ties_named) ties += fmt::format(" and {} more", answer.ties.size() - ties_named);
  std::string fastest = variant_text(best);
  std::string own;
  if (answer.own) {
    const ResultRow& row = report.rows[*answer.own];
    fastest += threads_beside(best, row);
    own = fmt::format("{}, {}{}", variant_text(row), format_duration(median_of(row)),
                      threads_beside(row, best));
  }
  for (SectionCell& cell : std::vector<SectionCell>{{fastest, answer.best},
                                                    format_time(*best.stored.measurement),
                                                    ratio_cell(answer.versus_device, "×"),
                                                    rate_cell(best.gflops),
                                                    rate_cell(best.gbytes_per_s),
                                                    share_cell(best.metric("roof_fraction")),
                                                    share_cell(report.places[*answer.best].datasheet_share),
                                                    ties,
                                                    {own, answer.own}}) {
    line.cells.push_back(std::move(cell));
  }
  return line;
}

/// One row a device, problem by problem.
Section fastest_of_devices(const Report& report) {
  Section section{.title = "Fastest of each device",
                  .note = {},
                  .columns = {TextColumn("problem").heading(),
                              TextColumn("measured as").heading(),
                              {"device"},
                              {"fastest"},
                              {"time (range)"},
                              {"vs best device", true},
                              {"GFLOP/s", true},
                              {"GB/s", true},
                              {"of roof", true},
                              {"of datasheet", true},
                              {"ties with"},
                              {"fastest non-vendor"}},
                  .rows = {},
                  .after = datasheet_note(report)};
  for (const Answer& answer : answers_of(report)) section.rows.push_back(answer_row(report, answer));
  return section;
}

Section portability(const Report& report) {
  Section section{
      .title = "Performance portability",
      .note =
          "Harmonic mean of a variant's efficiency over all devices of the problem, of variants that each "
          "of these has; 0 where it failed (Pennycook, Sewall and Lee). Application: the fastest "
          "time of the device over the variant's; architectural: the share of the measured roof.",
      .columns = {TextColumn("problem").heading(),
                  {"variant"},
                  {"application", true},
                  {"architectural", true}},
      .rows = {},
      .after = {}};
  for (const Portability& entry : report.portability) {
    const IdenticalProblem& comparison = report.comparisons[entry.comparison];
    section.rows.push_back({comparison.rows.front(),
                            {problem_text(comparison), entry.variant, ratio_cell(entry.application_score),
                             ratio_cell(entry.architectural_score)}});
  }
  return section;
}

Section against_baseline(const Report& report) {
  Section section{.title = "Against the baseline, by paired rounds",
                  .note = {},
                  .columns = {TextColumn("problem").heading(),
                              {"device"},
                              {"variant"},
                              {"speed vs baseline", true},
                              {"interval", true},
                              {"verdict"},
                              {"baseline"}},
                  .rows = {},
                  .after = {},
                  .most = longest_list};
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const RowPlace& place = report.places[i];
    const Comparison* comparison = report.rows[i].stored.compared(Against::baseline);
    if (comparison == nullptr || place.comparison == RowPlace::none) continue;
    const std::string interval = std::isnan(comparison->ci_low)
                                     ? std::string()
                                     : fmt::format("{}–{}", format_significant(1 / comparison->ci_high, 3),
                                                   format_significant(1 / comparison->ci_low, 3));
    section.rows.push_back({i,
                            {problem_text(report.comparisons[place.comparison]),
                             report.platforms[place.platform].label,
                             {variant_text(report.rows[i]), i},
                             ratio_cell(1 / comparison->time_ratio, "×"),
                             interval,
                             verdict_word(comparison->verdict),
                             comparison->label}});
  }
  return section;
}

/// The largest difference first.
Section between_processes(const Report& report) {
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (!std::isnan(report.rows[i].metric("replicates"))) repeated.push_back(i);
  }
  std::ranges::stable_sort(repeated, std::greater{},
                           [&](std::size_t i) { return report.rows[i].metric("between_spread"); });
  Section section{
      .title = "Between fresh processes",
      .note = "Spread of the times within one process, and of the medians of several.",
      .columns =
          {{"problem"}, {"device"}, {"variant"}, {"replicates", true}, {"within", true}, {"between", true}},
      .rows = {},
      .after = {},
      .most = longest_list};
  for (const std::size_t i : repeated) {
    const ResultRow& row = report.rows[i];
    const std::string problem = to_text(row.point().problem);
    section.rows.push_back({i,
                            {row.point().workload + (problem.empty() ? "" : ' ' + problem),
                             report.platforms[report.places[i].platform].label,
                             {variant_text(row), i},
                             format_significant(row.metric("replicates")),
                             format_percent(row.metric("within_spread")),
                             format_percent(row.metric("between_spread"))}});
  }
  return section;
}

}  // namespace

std::vector<Section> sections_of(const Report& report) {
  std::vector<Section> sections{fastest_of_devices(report), portability(report), against_baseline(report),
                                between_processes(report)};
  std::erase_if(sections, [](const Section& section) { return section.rows.empty(); });
  return sections;
}

std::string section_markdown(const Section& section) {
  TextTable table(section.columns);
  for (std::size_t i = 0; i < std::min(section.most, section.rows.size()); ++i) {
    std::vector<std::string> cells;
    for (const SectionCell& cell : section.rows[i].cells) cells.push_back(cell.text);
    table.add(std::move(cells));
  }
  std::string text = fmt::format("## {}\n\n", section.title);
  if (!section.note.empty()) text += section.note + "\n\n";
  text += table.markdown() + '\n';
  if (section.rows.size() > section.most) {
    text += fmt::format("and {} more\n\n", format_count(section.rows.size() - section.most));
  }
  if (!section.after.empty()) text += first_line_in(section.after, true) + "\n\n";
  return text;
}

namespace {

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
  for (const Section& section : sections_of(report)) text += section_markdown(section);
  text += warnings_list(report);
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    text += result_table(report, i, {.markdown = true, .published = true, .answer = false}) + '\n';
  }
  return text;
}

}  // namespace benchctl

// The one place that knows which function writes a format; and the report as Markdown.
#include "report/export.hpp"
#include "report/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace benchctl {

namespace {

std::string section_markdown(const Section& section) {
  TextTable table(section.columns);
  for (std::size_t i = 0; i < std::min(section.most, section.rows.size()); ++i) {
    table.add_cells(section.rows[i].cells);
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

/// What a reader must know before comparing, counted.
std::string warnings_list(const Report& report) {
  if (report.warnings.empty()) return {};
  std::string text = fmt::format("## {}\n\n", counted(report.warnings.size(), "note"));
  for (const std::string& warning : report.warnings) {
    text += fmt::format("- {}\n", first_line_in(warning, true));
  }
  return text + '\n';
}

using Shown = const Report&;
using With = const WriteOptions&;
using Compared = const CompareResult&;
using Options = const TableOptions&;
constexpr auto comparison_markdown = [](Compared result, Options options, int) {
  return compare_text(result, {.markdown = true, .all = options.all});
};
constexpr auto all_writers = std::to_array<Writer>({
    {"text", "", nullptr,
     [](Compared result, Options options, int) { return compare_text(result, options); }},
    {"html", "",
     [](Shown report, With options) { return html_page(report, options.page_template, options.page); }},
    {"md", "", [](Shown report, With) { return report_markdown(report); }, comparison_markdown},
    {"json", "", report_json,
     [](Compared result, Options, int exit_code) { return compare_json(result, exit_code); }},
    {"csv", "", [](Shown report, With) { return report_csv(report); },
     [](Compared result, Options, int) { return compare_csv(result); }},
    {"verdict", "the verdict with the pairs that it stands on, in the form of `json`", nullptr,
     [](Compared result, Options, int exit_code) { return compare_json(result, exit_code, true); }},
    {"summary", "Markdown whose first line is the verdict in words", nullptr, comparison_markdown},
    {"junit", "JUnit's XML", nullptr, [](Compared result, Options, int) { return compare_junit(result); }},
});

const Writer& writer_of(std::string_view format) {
  return *std::ranges::find(all_writers, format, &Writer::format);
}

}  // namespace

std::string report_markdown(const Report& report) {
  std::string text = fmt::format("# {}\n\n", first_line_in(report_title(report), true));
  text += headlines_markdown(headlines_of(report));
  if (!text.ends_with("\n\n")) text += '\n';
  for (const Section& section : sections_of(report)) text += section_markdown(section);
  text += warnings_list(report);
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    text +=
        result_table(
            report, i,
            {.markdown = true, .all = true, .published = true, .several_runs = report.runs.size() > 1}) +
        '\n';
  }
  return text;
}

std::span<const Writer> writers() { return all_writers; }

std::string write_report(std::string_view format, const Report& report, const WriteOptions& options) {
  return writer_of(format).report(report, options);
}

std::string run_text(const Store& store, RunId run, const TableOptions& options) {
  return result_table(make_report(store, run), 0, options);
}

std::string write_comparison(std::string_view format, const CompareResult& result,
                             const TableOptions& options, int exit_code) {
  return writer_of(format).comparison(result, options, exit_code);
}

}  // namespace benchctl

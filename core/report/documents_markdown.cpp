// The report as Markdown: for pull requests and for people without a browser.
#include "report/export.hpp"
#include "report/headline.hpp"
#include "report/section.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"

#include <fmt/format.h>

namespace benchctl {

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

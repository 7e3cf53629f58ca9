// The forms of a comparison: one line each.
#include "report/compare_documents.hpp"

#include <array>

namespace benchctl {

namespace {

std::string as_text(const CompareResult& result, const CompareTextOptions& options, int /*exit_code*/) {
  return compare_text(result, options);
}

std::string as_markdown(const CompareResult& result, const CompareTextOptions& options, int /*exit_code*/) {
  return compare_text(result, {.markdown = true, .colours = false, .all = options.all});
}

std::string as_verdict(const CompareResult& result, const CompareTextOptions& /*options*/, int exit_code) {
  return compare_verdict(result, exit_code);
}

/// Of a function that needs the result alone.
template <std::string (*write)(const CompareResult&)>
std::string as_written(const CompareResult& result, const CompareTextOptions& /*options*/,
                       int /*exit_code*/) {
  return write(result);
}

constexpr auto formats = std::to_array<CompareFormat>({
    {"text", "tables for a terminal", false, as_text},
    {"md", "Markdown", false, as_markdown},
    {"json", "everything, as JSON with a schema", false, as_written<compare_json>},
    {"csv", "a row for each pair", false, as_written<compare_csv>},
    {"verdict", "the verdict with its reasons, as JSON with a schema", true, as_verdict},
    {"summary", "Markdown whose first line is the verdict in words", true, as_written<compare_summary>},
    {"junit", "JUnit's XML", true, as_written<compare_junit>},
});

}  // namespace

std::span<const CompareFormat> compare_formats() { return formats; }

}  // namespace benchctl

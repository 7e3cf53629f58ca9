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

template <std::string (*write)(const CompareResult&, int)>
std::string as_json(const CompareResult& result, const CompareTextOptions& /*options*/, int exit_code) {
  return write(result, exit_code);
}

/// For a function that needs the result alone.
template <std::string (*write)(const CompareResult&)>
std::string as_written(const CompareResult& result, const CompareTextOptions& /*options*/,
                       int /*exit_code*/) {
  return write(result);
}

constexpr auto formats = std::to_array<CompareFormat>({
    {"text", "tables for a terminal", false, as_text},
    {"md", "Markdown", false, as_markdown},
    {"json", "everything, as JSON with a schema", false, as_json<compare_json>},
    {"csv", "a row for each pair", false, as_written<compare_csv>},
    {"verdict", "the verdict with the pairs that it stands on, in the form of `json`", true,
     as_json<compare_verdict>},
    {"summary", "Markdown whose first line is the verdict in words", true, as_written<compare_summary>},
    {"junit", "JUnit's XML", true, as_written<compare_junit>},
});

}  // namespace

std::span<const CompareFormat> compare_formats() { return formats; }

}  // namespace benchctl

// The forms of a comparison, one line each, and JUnit's XML, which CI servers show as tests.
#include "model/visible.hpp"
#include "report/compare_documents.hpp"
#include "report/format.hpp"
#include "report/page.hpp"
#include "report/point_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace benchctl {

namespace {

/// For an attribute: control characters, which XML has no form for, are written out.
std::string xml_attribute(std::string_view text) { return escaped_html(visible(text)); }

std::string message_of(const ComparedPair& pair) {
  std::string text(info(pair.outcome).label);
  if (!std::isnan(pair.ratio)) text += fmt::format(", new / base {}", format_significant(pair.ratio, 4));
  if (pair.joint_interval.known()) {
    text += fmt::format(" [{}, {}]", format_significant(pair.joint_interval.low, 4),
                        format_significant(pair.joint_interval.high, 4));
  }
  if (!pair.reason.empty()) text += ": " + pair.reason;
  for (const ComparedMetric& metric : pair.metrics) {
    if (metric.fails) text += fmt::format("; {} {}", metric.metric, info(metric.outcome).label);
  }
  return text;
}

bool counts_as_failure(const ComparedPair& pair) {
  return pair.fails ||
         std::ranges::any_of(pair.metrics, [](const ComparedMetric& metric) { return metric.fails; });
}

/// Is nothing known of the times?
bool is_unknown(const ComparedPair& pair) {
  return pair.outcome == PairOutcome::not_resolved || pair.outcome == PairOutcome::not_comparable ||
         pair.outcome == PairOutcome::missing || pair.outcome == PairOutcome::added ||
         pair.outcome == PairOutcome::untimed;
}

}  // namespace

std::string compare_junit(const CompareResult& result) {
  std::string cases;
  std::size_t failures = 0;
  std::size_t skips = 0;
  for (const ComparedPair& pair : result.pairs) {
    const Point& point = point_of(result, pair).point;
    const bool timed = pair.fresh && result.fresh->points[*pair.fresh].timed();
    const double seconds = timed ? result.fresh->points[*pair.fresh].measurement->median_ns * 1e-9 : 0;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\">",
                         xml_attribute(point.workload), xml_attribute(full_label(point)), seconds);
    if (counts_as_failure(pair)) {
      ++failures;
      cases += fmt::format("<failure type=\"{}\" message=\"{}\"/>", info(pair.outcome).id,
                           xml_attribute(message_of(pair)));
    } else if (is_unknown(pair)) {
      ++skips;
      cases += fmt::format("<skipped message=\"{}\"/>", xml_attribute(message_of(pair)));
    }
    cases += "</testcase>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}    <system-out>{}</system-out>\n  "
      "</testsuite>\n</testsuites>\n",
      xml_attribute(result.fresh->run.name), result.pairs.size(), failures, skips, cases,
      xml_attribute(verdict_text(result)));
}

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

// A comparison for other programs.
#include "report/compare.hpp"

#include "model/json.hpp"
#include "model/words.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

Json side_json(const CompareSide& side) {
  return {{"label", side.label},
          {"run", to_number(side.run.id)},
          {"name", side.run.name},
          {"title", side.run.title},
          {"created_at", side.run.created_at},
          {"state", to_string(state_now(side.run))},
          {"benchctl", side.run.version},
          {"points", side.points.size()}};
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json row_or_null(const Result* point) { return point != nullptr ? row_json(*point) : Json(nullptr); }

Json ends(const stats::Interval& interval) { return Json::array({interval.low, interval.high}); }

Json summary_json(const RatioSummary& summary) {
  Json counts = Json::object();
  for (const auto& [outcome, count] : summary.counts) counts[std::string(info(outcome).id)] = count;
  return {{"workload", text_or_null(summary.workload)},
          {"ratios", summary.mean.n},
          {"geometric_mean", summary.mean.ratio},
          {"interval", ends(summary.mean.interval)},
          {"counts", std::move(counts)}};
}

Json metric_json(const ComparedMetric& metric) {
  return {{"metric", metric.metric},
          {"base", metric.base},
          {"new", metric.fresh},
          {"ratio", metric.ratio},
          {"threshold", metric.threshold},
          {"outcome", info(metric.outcome).id},
          {"fails", metric.fails},
          {"single_value", metric.single_value},
          {"interval", ends(metric.interval)},
          {"joint_interval", ends(metric.joint_interval)}};
}

Json pair_json(const ComparedPair& pair) {
  return {{"label", full_label(pair.point())},
          {"outcome", info(pair.outcome).id},
          {"fails", pair.fails},
          {"reason", pair.reason},
          {"ratio", pair.ratio},
          {"interval", ends(pair.interval)},
          {"joint_interval", ends(pair.joint_interval)},
          {"process_spread", pair.process_spread()},
          {"threshold", pair.threshold},
          {"with_warnings", pair.with_warnings},
          {"base", row_or_null(pair.base_point)},
          {"new", row_or_null(pair.fresh_point)},
          {"metrics", list_of(pair.metrics, metric_json)}};
}

bool counts_as_failure(const ComparedPair& pair) {
  return pair.fails ||
         std::ranges::any_of(pair.metrics, [](const ComparedMetric& metric) { return metric.fails; });
}

Json lane_json(const ComparedLane& lane) {
  return {{"base", text_or_null(lane.base)},
          {"new", text_or_null(lane.fresh)},
          {"verdict", to_string(lane.verdict)},
          {"reasons", lane.reasons}};
}

}  // namespace

std::string compare_json(const CompareResult& result, int exit_code, bool verdict_alone) {
  std::vector<const ComparedPair*> pairs;
  for (const ComparedPair& pair : result.pairs) {
    if (!verdict_alone || counts_as_failure(pair) || pair.doubted) pairs.push_back(&pair);
  }
  const SpreadSource& spread = result.spread;
  const CompareOptions& options = result.options;
  Json members = {{"schema", "benchctl.compare"},
                  {"schema_version", document_version},
                  {"benchctl", BENCHCTL_VERSION},
                  {"generated", utc_now()},
                  {"units", units_json()},
                  {"verdict", to_string(result.verdict)},
                  {"exit_code", exit_code},
                  {"text", verdict_text(result)},
                  {"threshold", options.threshold},
                  {"comparisons", result.comparisons},
                  {"correction", options.turns                         ? "table_and_looks"
                                 : options.policy.false_discovery_rate ? "false_discovery_rate"
                                                                       : "table"},
                  {"corrected", result.corrected},
                  {"spread",
                   {{"given", options.process_spread.has_value()},
                    {"replicated", spread.replicated},
                    {"from_runs", spread.from_runs},
                    {"runs", spread.runs},
                    {"builds", spread.builds},
                    {"unknown", spread.unknown}}},
                  {"looks", options.turns ? Json(options.turns->looks) : Json(nullptr)},
                  {"base", side_json(*result.base)},
                  {"new", side_json(*result.fresh)},
                  {"lanes", list_of(result.lanes, lane_json)},
                  {"workloads", list_of(result.workloads, summary_json)},
                  {"all", summary_json(result.all)}};
  if (!result.changed_files.empty()) members["changed_files"] = result.changed_files;
  return json_with_list(members, "pairs", pairs.size(),
                        [&](std::size_t i) { return pair_json(*pairs[i]); });
}

// JUnit's XML, which CI servers show as tests.

namespace {

/// For an attribute: control characters, which XML has no form for, are written out.
std::string xml_attribute(std::string_view text) { return escaped_html(visible(text)); }

std::string message_of(const ComparedPair& pair) {
  std::string text(info(pair.outcome).label);
  if (!std::isnan(pair.ratio)) text += fmt::format(", new / base {}", format_significant(pair.ratio, 4));
  if (pair.interval.known()) {
    text += fmt::format(", at 95 % {} to {}", format_significant(pair.interval.low, 4),
                        format_significant(pair.interval.high, 4));
  }
  if (!pair.reason.empty()) text += ": " + pair.reason;
  for (const ComparedMetric& metric : pair.metrics) {
    if (metric.fails) text += fmt::format("; {} {}", metric.metric, info(metric.outcome).label);
  }
  return text;
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
    const Point& point = pair.point();
    const double seconds = std::isnan(pair.fresh) ? 0 : pair.fresh * 1e-9;
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

}  // namespace benchctl

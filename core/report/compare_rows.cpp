// A comparison for other programs.
#include "model/json.hpp"
#include "report/compare_documents.hpp"
#include "report/export.hpp"
#include "report/json_text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace benchctl {

namespace {

constexpr int compare_schema_version = 1;

void write_side(JsonText& json, std::string_view name, const CompareSide& side) {
  json.key(name)
      .begin_object()
      .field("label", side.label)
      .field("run", to_number(side.run.id))
      .field("name", side.run.name)
      .field("title", side.run.title)
      .field("created_at", side.run.created_at)
      .field("state", to_string(state_now(side.run)))
      .field("benchctl", side.run.version)
      .field("points", side.points.size())
      .end_object();
}

void write_text_or_null(JsonText& json, std::string_view name, const std::string& text) {
  json.key(name);
  if (text.empty()) {
    json.null();
  } else {
    json.value(text);
  }
}

void write_lane(JsonText& json, const ComparedLane& lane) {
  json.begin_object();
  write_text_or_null(json, "base", lane.base);
  write_text_or_null(json, "new", lane.fresh);
  json.field("verdict", to_string(lane.verdict)).key("reasons").begin_array();
  for (const std::string& reason : lane.reasons) json.value(reason);
  json.end_array().end_object();
}

void write_interval(JsonText& json, std::string_view name, const stats::Interval& interval) {
  json.key(name).begin_array().value(interval.low).value(interval.high).end_array();
}

void write_counts(JsonText& json, const std::map<PairOutcome, std::size_t>& counts) {
  json.key("counts").begin_object();
  for (const auto& [outcome, count] : counts) json.field(info(outcome).id, count);
  json.end_object();
}

void write_summary(JsonText& json, const RatioSummary& summary) {
  json.begin_object();
  write_text_or_null(json, "workload", summary.workload);
  json.field("ratios", summary.mean.n).field("geometric_mean", summary.mean.ratio);
  write_interval(json, "interval", summary.mean.interval);
  write_counts(json, summary.counts);
  json.end_object();
}

void write_point(JsonText& json, std::string_view name, const CompareSide& side,
                 std::optional<std::size_t> place) {
  json.key(name);
  if (!place) {
    json.null();
    return;
  }
  const ComparedPoint& point = side.points[*place];
  const bool measured = point.measurement.has_value();
  json.begin_object()
      .field("point", point.ordinal)
      .field("device", point.point.device)
      .field("status", to_string(point.point.status))
      .field("reason", point.point.reason)
      .field("median_ns", measured ? point.measurement->median_ns : std::nan(""))
      .field("ci_low_ns", measured ? point.measurement->ci_low_ns : std::nan(""))
      .field("ci_high_ns", measured ? point.measurement->ci_high_ns : std::nan(""))
      .field("n_samples", measured ? point.measurement->n_samples : 0)
      .field("content_key", point.content_key)
      .end_object();
}

void write_pair(JsonText& json, const CompareResult& result, const ComparedPair& pair) {
  const Point& point = point_of(result, pair).point;
  json.begin_object()
      .field("outcome", info(pair.outcome).id)
      .field("fails", pair.fails)
      .field("reason", pair.reason)
      .field("workload", point.workload)
      .field("variant", point.variant)
      .field("backend", point.backend);
  json.key("problem").raw(one_line(to_json(point.problem)));
  json.field("layout", point.layout).key("tunables").raw(one_line(to_json(point.tunables)));
  json.field("cache", to_string(point.measure.cache))
      .field("launch", to_string(point.measure.launch))
      .field("basis", to_string(point.measure.basis))
      .field("ratio", pair.ratio);
  write_interval(json, "interval", pair.interval);
  write_interval(json, "joint_interval", pair.joint_interval);
  json.field("process_spread", pair.process_spread)
      .field("threshold", pair.threshold)
      .field("with_warnings", pair.with_warnings);
  write_point(json, "base", *result.base, pair.base);
  write_point(json, "new", *result.fresh, pair.fresh);
  json.key("metrics").begin_array();
  for (const ComparedMetric& metric : pair.metrics) {
    json.begin_object()
        .field("metric", metric.metric)
        .field("base", metric.base)
        .field("new", metric.fresh)
        .field("ratio", metric.ratio)
        .field("threshold", metric.threshold)
        .field("outcome", info(metric.outcome).id)
        .field("fails", metric.fails)
        .field("single_value", metric.single_value);
    write_interval(json, "interval", metric.interval);
    write_interval(json, "joint_interval", metric.joint_interval);
    json.end_object();
  }
  json.end_array().end_object();
}

/// Median and interval of a side, or nothing.
void add_times(std::vector<Cell>& row, const CompareSide& side, std::optional<std::size_t> place) {
  const bool there = place && side.points[*place].measurement;
  const Measurement none{};
  const Measurement& m = there ? *side.points[*place].measurement : none;
  for (const double value : {m.median_ns, m.ci_low_ns, m.ci_high_ns})
    row.push_back(there ? cell_of(value) : Cell{});
}

Cell device_of(const CompareSide& side, std::optional<std::size_t> place) {
  return place ? Cell{side.points[*place].point.device} : Cell{};
}

std::string text_of(std::string_view text) { return std::string(text); }

}  // namespace

std::string compare_json(const CompareResult& result) {
  JsonText json;
  json.begin_object()
      .field("schema", "benchctl.compare")
      .field("schema_version", compare_schema_version)
      .field("benchctl", BENCHCTL_VERSION)
      .field("generated", utc_now())
      .field("verdict", to_string(result.verdict))
      .field("text", verdict_text(result))
      .field("threshold", result.threshold)
      .field("comparisons", result.comparisons)
      .field("correction", correction_of(result))
      .field("corrected", result.corrected)
      .key("spread")
      .begin_object()
      .field("given", result.spread.given)
      .field("replicated", result.spread.replicated)
      .field("from_runs", result.spread.from_runs)
      .field("runs", result.spread.runs)
      .field("builds", result.spread.builds)
      .field("unknown", result.spread.unknown)
      .end_object()
      .key("looks");
  if (result.turns) {
    json.begin_array();
    for (const std::size_t processes : result.turns->looks) json.value(processes);
    json.end_array();
  } else {
    json.null();
  }
  write_side(json, "base", *result.base);
  write_side(json, "new", *result.fresh);
  json.key("lanes").begin_array();
  for (const ComparedLane& lane : result.lanes) write_lane(json, lane);
  json.end_array().key("workloads").begin_array();
  for (const RatioSummary& summary : result.workloads) write_summary(json, summary);
  write_summary(json.end_array().key("all"), result.all);
  json.key("pairs").begin_array();
  for (const ComparedPair& pair : result.pairs) write_pair(json, result, pair);
  return json.end_array().end_object().take() + '\n';
}

std::string compare_csv(const CompareResult& result) {
  ExportTable table;
  table.columns = {"outcome",        "fails",           "reason",        "workload",      "variant",
                   "backend",        "base_device",     "new_device",    "problem",       "layout",
                   "tunables",       "cache",           "launch",        "basis",         "base_median_ns",
                   "base_ci_low_ns", "base_ci_high_ns", "new_median_ns", "new_ci_low_ns", "new_ci_high_ns",
                   "ratio",          "ratio_ci_low",    "ratio_ci_high", "joint_ci_low",  "joint_ci_high",
                   "process_spread", "threshold",       "with_warnings"};
  for (const ComparedPair& pair : result.pairs) {
    const Point& point = point_of(result, pair).point;
    std::vector<Cell>& row = table.rows.emplace_back();
    row = {text_of(info(pair.outcome).id),
           pair.fails,
           pair.reason,
           point.workload,
           point.variant,
           point.backend,
           device_of(*result.base, pair.base),
           device_of(*result.fresh, pair.fresh),
           to_text(point.problem),
           point.layout,
           to_text(point.tunables),
           text_of(to_string(point.measure.cache)),
           text_of(to_string(point.measure.launch)),
           text_of(to_string(point.measure.basis))};
    add_times(row, *result.base, pair.base);
    add_times(row, *result.fresh, pair.fresh);
    for (const double value : {pair.ratio, pair.interval.low, pair.interval.high, pair.joint_interval.low,
                               pair.joint_interval.high, pair.process_spread, pair.threshold}) {
      row.push_back(cell_of(value));
    }
    row.emplace_back(pair.with_warnings);
  }
  return to_csv(table);
}

}  // namespace benchctl

// A comparison for other programs.
#include "model/json.hpp"
#include "report/compare_documents.hpp"
#include "report/export.hpp"
#include "report/point_names.hpp"

#include <algorithm>
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

/// The point's row, as its store or its document has it.
Json row_of(const CompareSide& side, std::optional<std::size_t> place) {
  if (!place) return nullptr;
  const ComparedPoint& point = side.points[*place];
  return side.store != nullptr ? row_json(make_row(side.store->result(point.stored)))
                               : Json::parse(point.row);
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

Json pair_json(const CompareResult& result, const ComparedPair& pair) {
  Json metrics = Json::array();
  for (const ComparedMetric& metric : pair.metrics) metrics.push_back(metric_json(metric));
  return {{"label", full_label(point_of(result, pair).point)},
          {"outcome", info(pair.outcome).id},
          {"fails", pair.fails},
          {"reason", pair.reason},
          {"ratio", pair.ratio},
          {"interval", ends(pair.interval)},
          {"joint_interval", ends(pair.joint_interval)},
          {"process_spread", pair.process_spread},
          {"threshold", pair.threshold},
          {"with_warnings", pair.with_warnings},
          {"base", row_of(*result.base, pair.base)},
          {"new", row_of(*result.fresh, pair.fresh)},
          {"metrics", std::move(metrics)}};
}

/// Does the verdict stand on the pair?
bool carries_verdict(const ComparedPair& pair) {
  return pair.fails || pair.doubted ||
         std::ranges::any_of(pair.metrics, [](const ComparedMetric& metric) { return metric.fails; });
}

Json lane_json(const ComparedLane& lane) {
  return {{"base", text_or_null(lane.base)},
          {"new", text_or_null(lane.fresh)},
          {"verdict", to_string(lane.verdict)},
          {"reasons", lane.reasons}};
}

std::string document_of(const CompareResult& result, int exit_code,
                        const std::vector<const ComparedPair*>& pairs) {
  const SpreadSource& spread = result.spread;
  return json_with_list({{"schema", "benchctl.compare"},
                         {"schema_version", document_version},
                         {"benchctl", BENCHCTL_VERSION},
                         {"generated", utc_now()},
                         {"units", units_json()},
                         {"verdict", to_string(result.verdict)},
                         {"exit_code", exit_code},
                         {"text", verdict_text(result)},
                         {"threshold", result.threshold},
                         {"comparisons", result.comparisons},
                         {"correction", correction_of(result)},
                         {"corrected", result.corrected},
                         {"spread",
                          {{"given", spread.given},
                           {"replicated", spread.replicated},
                           {"from_runs", spread.from_runs},
                           {"runs", spread.runs},
                           {"builds", spread.builds},
                           {"unknown", spread.unknown}}},
                         {"looks", result.turns ? Json(result.turns->looks) : Json(nullptr)},
                         {"base", side_json(*result.base)},
                         {"new", side_json(*result.fresh)},
                         {"lanes", list_of(result.lanes, lane_json)},
                         {"workloads", list_of(result.workloads, summary_json)},
                         {"all", summary_json(result.all)}},
                        "pairs", pairs.size(), [&](std::size_t i) { return pair_json(result, *pairs[i]); });
}

/// Median and interval of a side, or nothing.
void add_times(std::vector<Json>& row, const CompareSide& side, std::optional<std::size_t> place) {
  const Measurement* m = nullptr;
  if (place && side.points[*place].measurement) m = &*side.points[*place].measurement;
  for (double Measurement::*figure :
       {&Measurement::median_ns, &Measurement::ci_low_ns, &Measurement::ci_high_ns})
    row.push_back(m != nullptr ? Json(m->*figure) : Json(nullptr));
}

Json device_of(const CompareSide& side, std::optional<std::size_t> place) {
  return place ? Json(side.points[*place].point.device) : Json(nullptr);
}

}  // namespace

std::string compare_json(const CompareResult& result, int exit_code) {
  std::vector<const ComparedPair*> pairs;
  for (const ComparedPair& pair : result.pairs) pairs.push_back(&pair);
  return document_of(result, exit_code, pairs);
}

std::string compare_verdict(const CompareResult& result, int exit_code) {
  std::vector<const ComparedPair*> pairs;
  for (const ComparedPair& pair : result.pairs) {
    if (carries_verdict(pair)) pairs.push_back(&pair);
  }
  return document_of(result, exit_code, pairs);
}

std::string compare_csv(const CompareResult& result) {
  std::string text =
      "outcome,fails,reason,workload,variant,backend,base_device,new_device,problem,layout,tunables,cache,"
      "launch,basis,base_median_ns,base_ci_low_ns,base_ci_high_ns,new_median_ns,new_ci_low_ns,"
      "new_ci_high_ns,ratio,ratio_ci_low,ratio_ci_high,joint_ci_low,joint_ci_high,process_spread,threshold,"
      "with_warnings\r\n";
  for (const ComparedPair& pair : result.pairs) {
    const Point& point = point_of(result, pair).point;
    std::vector<Json> row{Json(info(pair.outcome).id),
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
                          Json(to_string(point.measure.cache)),
                          Json(to_string(point.measure.launch)),
                          Json(to_string(point.measure.basis))};
    add_times(row, *result.base, pair.base);
    add_times(row, *result.fresh, pair.fresh);
    for (const double value : {pair.ratio, pair.interval.low, pair.interval.high, pair.joint_interval.low,
                               pair.joint_interval.high, pair.process_spread, pair.threshold}) {
      row.emplace_back(value);
    }
    row.emplace_back(pair.with_warnings);
    text += csv_line(row);
  }
  return text;
}

}  // namespace benchctl

#include "model/metrics.hpp"
#include "report/page_parts.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <map>

namespace benchctl {

namespace {

/// Every k-th of the samples, so that at most `limit` are left.
std::vector<double> thinned(const std::vector<double>& samples, std::size_t limit) {
  if (samples.size() <= limit) return samples;
  std::vector<double> kept;
  for (std::size_t i = 0; i < limit; ++i) kept.push_back(samples[i * samples.size() / limit]);
  return kept;
}

/// What was read of the device beside the times, one value for each block of samples (the mean of its
/// readings): the clocks, watts and degrees, by metric.
std::map<std::string, std::vector<double>> traces(const std::vector<SampleRow>& rows) {
  std::map<std::string, std::vector<double>> result;
  for (const MetricInfo& metric : metric_table) {
    if (!metric.observed || (metric.unit != "MHz" && metric.unit != "W" && metric.unit != "°C")) continue;
    std::vector<double> trace;
    for (const SampleRow& row : rows) {
      const auto read = row.block.readings.find(metric.id);
      if (row.used && read != row.block.readings.end() && !read->second.empty()) {
        trace.push_back(stats::mean(read->second));
      }
    }
    if (!trace.empty()) result.emplace(metric.id, std::move(trace));
  }
  return result;
}

}  // namespace

void write_page_samples(JsonText& json, const Report& report, std::size_t budget) {
  constexpr std::size_t least = 32;
  constexpr std::size_t most = 400;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (report.rows[i].stored.measurement) order.push_back(i);
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return report.places[i].rank.fastest; });
  const std::size_t each = order.empty() ? most : std::clamp(budget / order.size(), least, most);
  std::size_t left = budget;
  std::size_t shown = 0;
  json.key("samples").begin_object();
  for (const std::size_t i : order) {
    if (left < least) break;
    const ReportRun& run = report.runs[report.places[i].run];
    const std::vector<SampleRow> rows = run.source.store->samples(report.rows[i].stored.row.id);
    const std::vector<double> all = used_ns(rows);
    const std::vector<double> kept = thinned(all, std::min(each, left));
    left -= kept.size();
    ++shown;
    json.key(std::to_string(i)).begin_object().field("of", all.size()).key("ns").begin_array();
    for (const double ns : kept) json.rounded(ns, 6);
    json.end_array().key("traces").begin_object();
    for (const auto& [metric, trace] : traces(rows)) {
      json.key(metric).begin_array();
      for (const double value : thinned(trace, most)) json.rounded(value, 6);
      json.end_array();
    }
    json.end_object().end_object();
  }
  json.end_object();
  json.key("samples_of").begin_object().field("shown", shown).field("points", order.size()).end_object();
}

}  // namespace benchctl

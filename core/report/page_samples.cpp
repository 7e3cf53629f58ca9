#include "model/json.hpp"
#include "model/metrics.hpp"
#include "report/page_parts.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

/// How exact the page has the samples of a point: a share of the shortest.
constexpr double sample_precision = 1e-4;
/// Significant digits of samples, their steps and traces.
constexpr int sample_digits = 6;
/// Samples, or blocks of a trace, of one point.
constexpr std::size_t most_of_point = 400;

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
    if (!trace.empty()) result.emplace(metric.id, thinned(trace, most_of_point));
  }
  return result;
}

/// The samples of one point as the page has them: whole numbers of few digits above the shortest.
struct PageSamples {
  std::size_t point = 0;
  std::size_t all = 0;  ///< in the store
  double from = 0;
  double step = 1;
  std::vector<double> steps{};
  std::map<std::string, std::vector<double>> traces{};
};

PageSamples samples_of_point(std::size_t point, const std::vector<SampleRow>& rows, std::size_t limit) {
  const std::vector<double> all = used_ns(rows);
  PageSamples samples{
      .point = point, .all = all.size(), .steps = thinned(all, limit), .traces = traces(rows)};
  if (samples.steps.empty()) return samples;
  samples.from = std::ranges::min(samples.steps);
  const double step = std::strtod(fmt::format("{:.1e}", samples.from * sample_precision).c_str(), nullptr);
  if (std::isnormal(step) && step > 0) samples.step = step;
  for (double& ns : samples.steps) ns = std::round((ns - samples.from) / samples.step);
  return samples;
}

Json page_numbers(const std::vector<double>& numbers) {
  return list_of(numbers, [](double number) { return short_number(number, sample_digits); });
}

Json sample_columns(const std::vector<PageSamples>& points) {
  std::set<std::string> metrics;
  for (const PageSamples& samples : points) {
    for (const auto& [metric, trace] : samples.traces) metrics.insert(metric);
  }
  Json traces = Json::object();
  for (const std::string& metric : metrics) {
    traces[metric] = list_of(points, [&](const PageSamples& one) {
      const auto trace = one.traces.find(metric);
      return trace != one.traces.end() ? page_numbers(trace->second) : Json::array();
    });
  }
  return {{"point", list_of(points, [](const PageSamples& one) { return Json(one.point); })},
          {"of", list_of(points, [](const PageSamples& one) { return Json(one.all); })},
          {"from",
           list_of(points, [](const PageSamples& one) { return short_number(one.from, sample_digits); })},
          {"step",
           list_of(points, [](const PageSamples& one) { return short_number(one.step, sample_digits); })},
          {"steps", list_of(points, [](const PageSamples& one) { return page_numbers(one.steps); })},
          {"traces", std::move(traces)}};
}

}  // namespace

Json page_samples(const Report& report, std::size_t budget) {
  constexpr std::size_t least = 32;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Result& stored = report.rows[i];
    if (stored.measurement && !stored.notes.contains(pruned_note)) order.push_back(i);
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return report.places[i].rank.mark() == "*"; });
  const std::size_t each =
      order.empty() ? most_of_point : std::clamp(budget / order.size(), least, most_of_point);
  std::size_t left = budget;
  std::vector<PageSamples> shown;
  for (const std::size_t i : order) {
    if (left < least) break;
    const ReportRun& run = report.runs[report.places[i].run];
    shown.push_back(
        samples_of_point(i, run.source.store->samples(report.rows[i].row.id), std::min(each, left)));
    std::size_t numbers = shown.back().steps.size();
    for (const auto& [metric, trace] : shown.back().traces) numbers += trace.size();
    left -= std::min(left, numbers);
  }
  return {{"samples", sample_columns(shown)},
          {"samples_of", {{"shown", shown.size()}, {"points", order.size()}}}};
}

}  // namespace benchctl

#include "model/metrics.hpp"
#include "report/page_parts.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace benchctl {

namespace {

/// Of the shortest sample of a point: how exact the page has its samples.
constexpr double sample_precision = 1e-4;
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

PageSamples page_samples(std::size_t point, const std::vector<SampleRow>& rows, std::size_t limit) {
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

template <class Write>
void write_for_each(JsonText& json, std::string_view name, const std::vector<PageSamples>& points,
                    Write write) {
  json.key(name).begin_array();
  for (const PageSamples& samples : points) write(samples);
  json.end_array();
}

void write_numbers_of(JsonText& json, const std::vector<double>& numbers) {
  json.begin_array();
  for (const double number : numbers) json.rounded(number, 6);
  json.end_array();
}

void write_samples(JsonText& json, const std::vector<PageSamples>& points) {
  json.key("samples").begin_object();
  write_for_each(json, "point", points, [&](const PageSamples& one) { json.value(one.point); });
  write_for_each(json, "of", points, [&](const PageSamples& one) { json.value(one.all); });
  write_for_each(json, "from", points, [&](const PageSamples& one) { json.rounded(one.from, 6); });
  write_for_each(json, "step", points, [&](const PageSamples& one) { json.value(one.step); });
  write_for_each(json, "steps", points, [&](const PageSamples& one) { write_numbers_of(json, one.steps); });
  std::set<std::string> metrics;
  for (const PageSamples& samples : points) {
    for (const auto& [metric, trace] : samples.traces) metrics.insert(metric);
  }
  json.key("traces").begin_object();
  for (const std::string& metric : metrics) {
    write_for_each(json, metric, points, [&](const PageSamples& one) {
      const auto trace = one.traces.find(metric);
      write_numbers_of(json, trace != one.traces.end() ? trace->second : std::vector<double>());
    });
  }
  json.end_object().end_object();
}

}  // namespace

void write_page_samples(JsonText& json, const Report& report, std::size_t budget) {
  constexpr std::size_t least = 32;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const StoredPoint& stored = report.rows[i].stored;
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
        page_samples(i, run.source.store->samples(report.rows[i].stored.row.id), std::min(each, left)));
    std::size_t numbers = shown.back().steps.size();
    for (const auto& [metric, trace] : shown.back().traces) numbers += trace.size();
    left -= std::min(left, numbers);
  }
  write_samples(json, shown);
  json.key("samples_of")
      .begin_object()
      .field("shown", shown.size())
      .field("points", order.size())
      .end_object();
}

}  // namespace benchctl

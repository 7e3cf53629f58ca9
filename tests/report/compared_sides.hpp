// Sides of comparisons, made of the points that a test cares for.
#pragma once

#include "model/json.hpp"
#include "report/compare.hpp"
#include "report/export.hpp"
#include "report/stored_run.hpp"

#include <nlohmann/json.hpp>

namespace benchctl::test {

/// A point of matmul on `gpu:0` with this median and interval, and no samples.
inline ComparedPoint point_with(const std::string& variant, double median, double low, double high) {
  Result stored = measured("gpu:0", variant, median, 0);
  ComparedPoint point;
  point.point = stored.row.point;
  Measurement m;
  m.n_samples = 30;
  m.median_ns = median;
  m.ci_low_ns = low;
  m.ci_high_ns = high;
  point.measurement = stored.measurement = m;
  point.row = one_line(row_json(std::move(stored)));
  return point;
}

/// One with samples: `count` of them evenly over median ± spread.
inline ComparedPoint sampled_point(const std::string& variant, double median, double spread,
                                   int count = 31) {
  ComparedPoint point = point_with(variant, median, median, median);
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) {
    // In an order that no neighbour tells anything of: steps of 7 around.
    const double place = static_cast<double>((i * 7) % count) / (count - 1) * 2 - 1;
    samples.push_back(median * (1 + spread * place));
  }
  const stats::Interval interval = stats::median_interval(samples, 0.95);
  point.measurement->median_ns = stats::median(samples);
  point.measurement->ci_low_ns = interval.low;
  point.measurement->ci_high_ns = interval.high;
  point.measurement->stop = StopReason::fixed;
  point.measurement->n_samples = samples.size();
  point.samples = {samples};
  return point;
}

inline ComparedPoint without_time(const std::string& variant, Status status, const std::string& reason) {
  Result stored = untimed("gpu:0", variant, status, reason);
  ComparedPoint point;
  point.point = stored.row.point;
  point.row = one_line(row_json(std::move(stored)));
  return point;
}

inline CompareSide side_with(std::vector<ComparedPoint> points,
                             std::vector<Lane> lanes = {lane_of("gpu:0", "Card")}) {
  CompareSide side;
  side.label = "a side";
  side.run.state = RunState::complete;
  side.circumstances.environment.entries = {{"cpu.model", "x", EnvironmentClass::must_match},
                                            {"system.kernel", "6", EnvironmentClass::should_match}};
  side.circumstances.lanes = std::move(lanes);
  side.points = std::move(points);
  return side;
}

/// A comparison that takes processes of one run for those of another: nothing scatters between them.
inline CompareResult compare_within(const CompareSide& base, const CompareSide& fresh,
                                    CompareOptions options = {}) {
  options.process_spread = 0;
  return compare_runs(base, fresh, options);
}

inline std::string outcomes_of(const CompareResult& result) {
  std::string text;
  for (const ComparedPair& pair : result.pairs)
    text += (text.empty() ? "" : " ") + std::string(info(pair.outcome).id);
  return text;
}

}  // namespace benchctl::test

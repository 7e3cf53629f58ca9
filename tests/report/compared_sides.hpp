// Sides of comparisons, made of the points that a test cares for.
#pragma once

#include "report/compare.hpp"
#include "report/stored_run.hpp"

namespace benchctl::test {

/// A point with its samples: times by process, or the time of each round.
struct ComparedPoint : Result {
  std::vector<std::vector<double>> samples;
  Rounds rounds;
};

/// A point of matmul on `gpu:0` with this median and interval, and no samples.
inline ComparedPoint point_with(const std::string& variant, double median, double low, double high) {
  ComparedPoint point{measured("gpu:0", variant, median, 0), {}, {}};
  Measurement m;
  m.n_samples = 30;
  m.median_ns = median;
  m.ci_low_ns = low;
  m.ci_high_ns = high;
  point.measurement = m;
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
  return {untimed("gpu:0", variant, status, reason), {}, {}};
}

inline std::vector<SampleRow> sample_rows_of(const ComparedPoint& point) {
  std::vector<SampleRow> rows;
  const auto add = [&](std::uint32_t replicate, std::uint32_t round, std::vector<double> ns) {
    SampleRow& row = rows.emplace_back();
    row.replicate = replicate;
    row.round = round;
    row.block.ns = std::move(ns);
  };
  for (std::uint32_t i = 0; i < point.samples.size(); ++i) add(i, 0, point.samples[i]);
  for (const auto& [place, ns] : point.rounds) add(place.first, place.second, {ns});
  return rows;
}

inline CompareSide side_with(const std::vector<ComparedPoint>& points,
                             std::vector<Lane> lanes = {lane_of("gpu:0", "Card")}) {
  CompareSide side;
  side.label = "a side";
  side.run.state = RunState::complete;
  side.circumstances.environment.entries = {{"cpu.model", "x", EnvironmentClass::must_match},
                                            {"system.kernel", "6", EnvironmentClass::should_match}};
  side.circumstances.lanes = std::move(lanes);
  std::vector<std::vector<SampleRow>> rows;
  for (const ComparedPoint& point : points) {
    side.points.push_back(point);
    side.points.back().row.id = PointId(rows.size());
    rows.push_back(sample_rows_of(point));
  }
  side.samples = [rows](PointId point) { return rows.at(static_cast<std::size_t>(to_number(point))); };
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

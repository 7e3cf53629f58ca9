// Result rows for reports, with only what a test cares for.
#pragma once

#include "model/keys.hpp"
#include "model/point.hpp"
#include "store/store.hpp"

#include <map>
#include <string>
#include <vector>

namespace benchctl::test {

/// A point of matmul at n = 64 that took `median` ns, with a range of `half_width` to both sides.
inline Result measured(const std::string& device, const std::string& variant, double median,
                       double half_width) {
  Result stored;
  Point& point = stored.row.point;
  point.workload = "matmul";
  point.variant = variant;
  point.backend = device.substr(0, device.find(':'));
  point.device = device;
  point.problem = {{"n", std::int64_t{64}}, {"dtype", std::string("f32")}};
  point.status = Status::ok;
  stored.row.cost = {524288, 32768, 16384};
  stored.row.finished = true;
  Measurement m;
  m.n_samples = 30;
  m.median_ns = median;
  m.ci_low_ns = m.p5_ns = m.p25_ns = m.min_ns = median - half_width;
  m.ci_high_ns = m.p95_ns = m.p75_ns = m.max_ns = median + half_width;
  stored.measurement = m;
  return stored;
}

inline Result untimed(const std::string& device, const std::string& variant, Status status,
                      const std::string& reason) {
  Result stored = measured(device, variant, 1, 0);
  stored.row.point.status = status;
  stored.row.point.reason = reason;
  stored.measurement.reset();
  return stored;
}

inline Result with_tile(Result stored, std::int64_t tile) {
  stored.row.point.tunables = {{"tile", tile}};
  return stored;
}

inline Result vendor(Result stored) {
  stored.row.vendor = true;
  return stored;
}

/// With so few samples that their range is from the smallest to the largest.
inline Result of_samples(Result stored, std::uint64_t count) {
  stored.measurement->n_samples = count;
  return stored;
}

/// Numbers the points from 0 and compares them as a run does that has measured them in 20 rounds: each with
/// the smallest median of its rivals, slower where their ranges do not touch.
inline void race(std::vector<Result>& points, const std::string& question = {}) {
  std::map<std::string, std::vector<AskedPoint>> asked;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].row.ordinal = i;
    asked[points[i].row.point.workload].push_back({&points[i].row.point, points[i].row.vendor});
  }
  std::map<std::string, std::string> axes;
  for (const auto& [workload, own] : asked) axes[workload] = question_axis(own, question);
  const auto belongs = [&](const Result& stored, Against against) {
    if (!may_win(stored) || (against != Against::best && stored.row.vendor)) return false;
    const AskedPoint own{&stored.row.point, stored.row.vendor};
    return against != Against::question || is_asked(own, axes.at(stored.row.point.workload));
  };
  const auto rivals = [](const Point& a, const Point& b) {
    return a.device == b.device && RivalKey(a) == RivalKey(b);
  };
  for (const Against against : {Against::best, Against::own, Against::question}) {
    for (Result& stored : points) {
      if (!belongs(stored, against)) continue;
      const Result* best = &stored;
      for (const Result& other : points) {
        const bool rival = belongs(other, against) && rivals(other.row.point, stored.row.point);
        if (rival && other.measurement->median_ns < best->measurement->median_ns) best = &other;
      }
      const bool slower = range_of(*stored.measurement).low_ns > range_of(*best->measurement).high_ns;
      const double ratio = stored.measurement->median_ns / best->measurement->median_ns;
      stored.comparisons.push_back(
          {.against = against,
           .other = best->row.ordinal,
           .label = best->row.point.label(),
           .rounds = 20,
           .time_ratio = ratio,
           .verdict = slower ? stats::Verdict::slower : stats::Verdict::not_resolved});
    }
  }
}

/// Numbered from 0 and compared.
inline std::vector<Result> rows_of(std::vector<Result> points) {
  race(points);
  return points;
}

}  // namespace benchctl::test

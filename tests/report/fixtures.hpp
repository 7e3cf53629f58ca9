// Result rows for reports, with only what a test cares for.
#pragma once

#include "report/rows.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace benchctl::test {

/// A point of matmul at n = 64 that took `median` ns, with an interval of `half_width` to both sides.
inline StoredPoint measured(const std::string& device, const std::string& variant, double median,
                            double half_width) {
  StoredPoint stored;
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
  m.ci_low_ns = median - half_width;
  m.ci_high_ns = median + half_width;
  stored.measurement = m;
  return stored;
}

inline StoredPoint untimed(const std::string& device, const std::string& variant, Status status,
                           const std::string& reason) {
  StoredPoint stored = measured(device, variant, 1, 0);
  stored.row.point.status = status;
  stored.row.point.reason = reason;
  stored.measurement.reset();
  return stored;
}

inline StoredPoint with_tile(StoredPoint stored, std::int64_t tile) {
  stored.row.point.tunables = {{"tile", tile}};
  return stored;
}

inline StoredPoint vendor(StoredPoint stored) {
  stored.row.vendor = true;
  return stored;
}

/// Numbered from 0.
inline std::vector<ResultRow> rows_of(std::vector<StoredPoint> points) {
  std::vector<ResultRow> rows;
  for (StoredPoint& point : points) {
    point.row.ordinal = rows.size();
    rows.push_back(make_row(std::move(point)));
  }
  return rows;
}

}  // namespace benchctl::test

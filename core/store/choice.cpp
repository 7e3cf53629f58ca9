#include "store/choice.hpp"

#include "store/point_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

namespace benchctl {

namespace {

struct TimedPoint {
  std::int64_t id{};
  Status status{};
  double median{};
  bool named{};          ///< the run has named it the fastest of its rivals, of some of them
  std::size_t rivals{};  ///< the same for points that compete: a hash
  std::size_t place{};   ///< among its rivals
};

/// Sets the places. The order is lost.
void race(std::vector<TimedPoint>& points) {
  std::ranges::sort(points, {},
                    [](const TimedPoint& p) { return std::tuple(p.rivals, !p.named, p.median, p.id); });
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].rivals == points[i - 1].rivals) points[i].place = points[i - 1].place + 1;
  }
}

}  // namespace

std::pair<std::string, StatusCounts> choose_fastest(SQLite::Database& database, RunId run,
                                                    std::size_t limit) {
  std::vector<std::int64_t> chosen;
  std::vector<TimedPoint> timed;
  SQLite::Statement query(
      database,
      "SELECT id, status, median_ns, "
      "EXISTS (SELECT 1 FROM comparisons WHERE point = points.id AND reference = points.ordinal), "
      "workload, device, expect, problem_json, measure_json "
      "FROM points LEFT JOIN measurements ON point = id WHERE run = ?");
  Binder(query) << run;
  std::string rivals;
  while (query.executeStep()) {
    Row row(query);
    TimedPoint point;
    row >> point.id;
    point.status = decode_status(row.bytes());
    row >> point.median >> point.named;
    const StatusClass kind = info(point.status).status_class;
    if (std::isnan(point.median) || (kind != StatusClass::good && kind != StatusClass::warning)) {
      chosen.push_back(point.id);
      continue;
    }
    rivals.clear();
    for (int i = 0; i < 5; ++i) rivals.append(row.bytes()).push_back('\0');
    point.rivals = std::hash<std::string>{}(rivals);
    timed.push_back(point);
  }
  race(timed);
  limit = std::min(limit, timed.size());
  std::ranges::nth_element(timed, timed.begin() + static_cast<std::ptrdiff_t>(limit), {},
                           [](const TimedPoint& point) { return std::pair(point.place, point.id); });
  const std::span fastest = std::span(timed).first(limit);
  for (const TimedPoint& point : fastest) chosen.push_back(point.id);
  StatusCounts left_out;
  for (const TimedPoint& point : std::span(timed).subspan(fastest.size())) ++left_out[point.status];
  return {fmt::format("[{}]", fmt::join(chosen, ",")), left_out};
}

}  // namespace benchctl

#include "report/compare_side.hpp"

#include "report/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

void add_figure(ComparedPoint& point, std::string_view metric, double value) {
  if (std::isfinite(value)) point.metrics.emplace(metric, value);
}

ComparedPoint compared(StoredPoint stored) {
  const ResultRow row = make_row(std::move(stored));
  ComparedPoint point;
  point.point = row.point();
  point.ordinal = row.stored.row.ordinal;
  point.content_key = row.stored.row.content_key;
  point.stored = row.stored.row.id;
  point.measurement = row.stored.measurement;
  for (const auto& [metric, value] : row.stored.resources) add_figure(point, metric, value);
  if (const auto& m = row.stored.measurement) {
    add_figure(point, "min_ns", m->min_ns);
    add_figure(point, "max_ns", m->max_ns);
    add_figure(point, "mean_ns", m->mean_ns);
    add_figure(point, "mad_ns", m->mad_ns);
    add_figure(point, "p5_ns", m->p5_ns);
    add_figure(point, "p25_ns", m->p25_ns);
    add_figure(point, "p75_ns", m->p75_ns);
    add_figure(point, "p95_ns", m->p95_ns);
  }
  add_figure(point, "gflops", row.gflops);
  add_figure(point, "gbytes_per_s", row.gbytes_per_s);
  add_figure(point, "ns_per_access", row.ns_per_access);
  add_figure(point, "requested_gbytes_per_s", row.requested_gbytes_per_s);
  add_figure(point, "error_norm", row.error_norm);
  return point;
}

}  // namespace

bool ComparedPoint::timed() const {
  const StatusClass status_class = info(point.status).status_class;
  return measurement && measurement->median_ns > 0 && std::isfinite(measurement->median_ns) &&
         (status_class == StatusClass::good || status_class == StatusClass::warning);
}

CompareSide side_of(const Store& store, RunId run) {
  std::optional<RunRow> row = store.run(run);
  if (!row) {
    throw StoreError(fmt::format("the store '{}' has no run {}", store.path().string(), to_number(run)));
  }
  CompareSide side;
  side.label = fmt::format("run {} of {}", to_number(run), store.path().filename().string());
  side.run = std::move(*row);
  side.store = &store;
  try {
    side.circumstances = {environment_from_json_text(side.run.environment), store.lanes(run)};
  } catch (const std::invalid_argument& error) {
    throw StoreError(fmt::format("the store '{}' holds no environment record for run {}: {}",
                                 store.path().string(), to_number(run), error.what()));
  }
  for (StoredPoint& stored : store.results(run)) side.points.push_back(compared(std::move(stored)));
  return side;
}

}  // namespace benchctl

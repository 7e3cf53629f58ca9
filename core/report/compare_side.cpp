#include "report/compare_side.hpp"

#include "report/rows.hpp"
#include "stats/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

ComparedPoint compared(StoredPoint stored) {
  ResultRow row = make_row(std::move(stored));
  ComparedPoint point;
  for (const auto& [metric, value] : row.stored.resources) point.metrics.set(metric, value);
  if (const auto& m = row.stored.measurement) {
    point.metrics.set("min_ns", m->min_ns);
    point.metrics.set("max_ns", m->max_ns);
    point.metrics.set("mean_ns", m->mean_ns);
    point.metrics.set("mad_ns", m->mad_ns);
    point.metrics.set("p5_ns", m->p5_ns);
    point.metrics.set("p25_ns", m->p25_ns);
    point.metrics.set("p75_ns", m->p75_ns);
    point.metrics.set("p95_ns", m->p95_ns);
  }
  point.metrics.set("gflops", row.gflops);
  point.metrics.set("gbytes_per_s", row.gbytes_per_s);
  point.metrics.set("ns_per_access", row.ns_per_access);
  point.metrics.set("requested_gbytes_per_s", row.requested_gbytes_per_s);
  point.metrics.set("error_norm", row.error_norm);
  if (const auto picked = row.stored.notes.find("configuration"); picked != row.stored.notes.end())
    point.picked = picked->second;
  point.ordinal = row.stored.row.ordinal;
  point.stored = row.stored.row.id;
  point.measurement = std::move(row.stored.measurement);
  point.content_key = std::move(row.stored.row.content_key);
  point.point = std::move(row.stored.row.point);
  return point;
}

}  // namespace

bool ComparedPoint::timed() const {
  const StatusClass status_class = info(point.status).status_class;
  return measurement && measurement->median_ns > 0 && std::isfinite(measurement->median_ns) &&
         (status_class == StatusClass::good || status_class == StatusClass::warning);
}

Environment recorded_environment(const Store& store, const RunRow& run) {
  try {
    return environment_from_json_text(run.environment);
  } catch (const std::invalid_argument& error) {
    throw StoreError(fmt::format("the store '{}' holds no environment record for run {}: {}",
                                 store.path().string(), to_number(run.id), error.what()));
  }
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
  side.circumstances = {recorded_environment(store, side.run), store.lanes(run)};
  side.points.reserve(store.point_count(run));
  store.each_result(run, [&](StoredPoint&& stored) { side.points.push_back(compared(std::move(stored))); });
  return side;
}

void read_rounds(CompareSide& side) {
  for (ComparedPoint& point : side.points) {
    if (!point.timed()) continue;
    for (const SampleRow& row : side.store->samples(point.stored)) {
      if (row.used && stats::have_ratios(row.block.ns))
        point.rounds[{row.replicate, row.round}] = stats::median(row.block.ns);
    }
  }
}

}  // namespace benchctl

#include "engine/run_prediction.hpp"

#include "engine/prediction.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace benchctl {

RunRoofs roofs_of_run(Store& store, RunId run, const Catalogue& catalogue, const LaneTable& lanes,
                      Roofs roofs) {
  RunRoofs found;
  if (roofs == Roofs::none) return found;
  std::vector<MeasuredPoint> peaks = store.measured(roof_workload().name());
  std::set<RunId> other_kinds;
  for (const RunRow& row : store.runs()) {
    if (is_replay(row) || is_selftest(row)) other_kinds.insert(row.id);
  }
  std::erase_if(peaks, [&](const MeasuredPoint& peak) {
    const RunId measured_in = peak.point.row.run;
    return measured_in != run && (roofs == Roofs::run || other_kinds.contains(measured_in));
  });
  for (const BackendLanes& backend : lanes) {
    const BackendEntry* entry = catalogue.find(backend.backend);
    if (entry == nullptr) continue;
    for (const Lane& lane : backend.lanes) {
      for (RoofRow& roof : roofs_of(peaks, lane, *entry)) {
        found.by_lane[roof.lane][roof.probe] = roof.per_second;
        found.rows.push_back(std::move(roof));
      }
    }
  }
  return found;
}

void predict_run(Store& store, RunId run, const Workloads& workloads, const Catalogue& catalogue,
                 const LaneTable& lanes, Roofs roofs) {
  if (roofs == Roofs::none) return;
  const RunRoofs known = roofs_of_run(store, run, catalogue, lanes, roofs);
  store.set_roofs(run, known.rows);
  if (known.rows.empty()) return;
  for (const Result& stored : store.results(run)) {
    const Point& point = stored.row.point;
    const Lane* lane = find_lane(lanes, point.device);
    const auto known_roofs = known.by_lane.find(point.device);
    const BackendEntry* backend = catalogue.find(point.backend);
    if (lane == nullptr || known_roofs == known.by_lane.end() || backend == nullptr ||
        point.workload == roof_workload().name())
      continue;
    const VariantInfo* variant = backend->find_variant(point.workload, point.variant);
    if (variant == nullptr) continue;
    const TimePrediction prediction =
        predict_time(stored, *workloads.find(point.workload), *variant, lane->device, known_roofs->second);
    if (!prediction.metrics.empty()) store.add_metrics(stored.row.id, prediction.metrics);
    if (!prediction.by.empty()) store.add_note(stored.row.id, "predicted_by", prediction.by);
    if (!prediction.missing.empty()) store.add_note(stored.row.id, "roof_missing", prediction.missing);
    if (!prediction.compute_path.empty()) {
      store.add_note(stored.row.id, "compute_path", prediction.compute_path);
    }
    if (!stored.measurement) continue;
    const double share = share_of_compute_roof(point.problem, *variant, stored.row.cost.flops,
                                               stored.measurement->median_ns, known_roofs->second);
    if (share > most_of_compute_roof) {
      store.add_note(stored.row.id, "above_roof",
                     fmt::format("{:.4g} times the measured roof {}", share, prediction.compute_path));
    }
  }
}

}  // namespace benchctl

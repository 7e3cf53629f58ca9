#include "engine/run_prediction.hpp"

#include "engine/prediction.hpp"

#include <algorithm>
#include <map>

namespace benchctl {

void predict_run(Store& store, RunId run, const Catalogue& catalogue, const LaneTable& lanes, Roofs roofs) {
  if (roofs == Roofs::none) return;
  std::vector<MeasuredPoint> peaks = store.measured("peaks");
  if (roofs == Roofs::run) {
    std::erase_if(peaks, [&](const MeasuredPoint& peak) { return peak.point.row.run != run; });
  }
  std::vector<RoofRow> used;
  struct RoofedLane {
    const Lane* lane = nullptr;
    predict::Roofs roofs;
  };
  std::map<std::string, RoofedLane, std::less<>> by_lane;
  for (const BackendLanes& backend : lanes) {
    for (const Lane& lane : backend.lanes) {
      for (RoofRow& roof : roofs_of(peaks, lane)) {
        RoofedLane& entry = by_lane[roof.lane];
        entry.lane = &lane;
        entry.roofs[roof.probe] = roof.per_second;
        used.push_back(std::move(roof));
      }
    }
  }
  store.set_roofs(run, used);
  if (used.empty()) return;
  for (const StoredPoint& stored : store.results(run)) {
    const Point& point = stored.row.point;
    const auto known = by_lane.find(point.device);
    const BackendEntry* backend = catalogue.find(point.backend);
    if (known == by_lane.end() || backend == nullptr || point.workload == "peaks") continue;
    const VariantInfo* variant = backend->find_variant(point.workload, point.variant);
    if (variant == nullptr) continue;
    const TimePrediction prediction =
        predict_time(stored, *variant, known->second.lane->device, known->second.roofs);
    if (!prediction.metrics.empty()) store.add_metrics(stored.row.id, prediction.metrics);
    if (!prediction.by.empty()) store.add_note(stored.row.id, "predicted_by", prediction.by);
    if (!prediction.compute_path.empty()) {
      store.add_note(stored.row.id, "compute_path", prediction.compute_path);
    }
  }
}

}  // namespace benchctl

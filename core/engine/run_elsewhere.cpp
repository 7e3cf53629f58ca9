// A run that continues on another machine, on another device of the same kind.
#include "engine/run_record.hpp"
#include "model/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace benchctl {

void RunRecord::leave_out_finished() {
  std::unordered_map<PointKey, const RunPoint*, KeyHash> by_key;
  for (const RunPoint& entry : points_) by_key[PointKey(entry.point)] = &entry;
  std::unordered_set<const RunPoint*> finished;
  const std::string hash = config_hash(config_, options_.identity);
  for (const RunRow& run : store_.runs()) {
    if (run.config_hash != hash) continue;
    const std::vector<Lane> lanes = store_.lanes(run.id);
    ContentKeys keys(config_.workloads, worker_environment(environment_));  // of the lanes of that run
    for (const PointRow& row : store_.points(run.id)) {
      const auto found = by_key.find(PointKey(row.point));
      if (!row.finished || found == by_key.end()) continue;
      const RunPoint& entry = *found->second;
      if (entry.finished) {  // ruled out now, and then
        if (row.content_key.empty()) finished.insert(&entry);
        continue;
      }
      const auto then = std::ranges::find(lanes, row.point.device, &Lane::name);
      const Lane* now = lane_of(entry.point);
      if (then == lanes.end() || now == nullptr) continue;
      if (!same_kind(DeviceKey(then->device), DeviceKey(now->device))) continue;
      // The key with the device of then is the same if all else is: kernels, plugins, settings.
      const std::string key = keys.key(entry.point, *then, *catalogue_.find(entry.point.backend),
                                       *plugins_.find(entry.point.backend), options_.device_debug);
      if (key == row.content_key) finished.insert(&entry);
    }
  }
  if (finished.empty()) return;
  std::vector<RunPoint> left;
  for (RunPoint& entry : points_) {
    if (!finished.contains(&entry)) left.push_back(std::move(entry));
  }
  points_ = std::move(left);
  progress_.message(
      fmt::format("{} points were finished by an equal device and are skipped", finished.size()));
}

}  // namespace benchctl

// A run that continues on another machine, on another device of the same kind.
#include "engine/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace benchctl {

namespace {

bool same_kind(const DeviceInfo& a, const DeviceInfo& b) {
  const auto kind = [](const DeviceInfo& device) {
    return std::tie(device.name, device.vendor, device.driver, device.architecture, device.compute_units);
  };
  return kind(a) == kind(b);
}

}  // namespace

void RunRecord::leave_out_finished() {
  std::unordered_map<std::string, const RunPoint*> by_label;
  for (const RunPoint& entry : points_) by_label[entry.point.label()] = &entry;
  std::unordered_set<const RunPoint*> finished;
  const std::string hash = config_hash(config_, options_.identity);
  for (const RunRow& run : store_.runs()) {
    if (run.config_hash != hash) continue;
    const std::vector<Lane> lanes = store_.lanes(run.id);
    ContentKeys keys(config_.workloads, worker_environment(environment_));  // of the lanes of that run
    for (const PointRow& row : store_.points(run.id)) {
      const auto found = by_label.find(row.point.label());
      if (!row.finished || found == by_label.end()) continue;
      const RunPoint& entry = *found->second;
      if (entry.finished) {  // ruled out now, and then
        if (row.content_key.empty()) finished.insert(&entry);
        continue;
      }
      const auto then = std::ranges::find(lanes, row.point.device, &Lane::name);
      const Lane* now = lane_of(entry.point);
      if (then == lanes.end() || now == nullptr || !same_kind(then->device, now->device)) continue;
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

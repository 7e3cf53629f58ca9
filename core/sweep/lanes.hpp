// Which devices this machine has, per backend.
#pragma once

#include "model/point.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace benchctl {

struct BackendLanes {
  std::string backend;
  std::vector<Lane> lanes;
  std::string unavailable;  ///< why there are none
  /// Status of its points without a device. Not `skipped` if its devices could not be listed: then it is
  /// unknown whether there are any. `not_run` if nobody asked, and only the points that a device would have
  /// count (sweep/shards.hpp).
  Status status = Status::skipped;
  std::vector<std::string> remarks = {};  ///< devices that cannot be used, with reasons: sentences
};

using LaneTable = std::vector<BackendLanes>;

/// Are there backends whose devices could not be listed?
[[nodiscard]] inline bool are_lanes_unknown(const LaneTable& table) {
  return std::ranges::any_of(table,
                             [](const BackendLanes& backend) { return backend.status != Status::skipped; });
}

/// The lane of that name, or null.
[[nodiscard]] inline const Lane* find_lane(const LaneTable& table, std::string_view name) {
  for (const BackendLanes& backend : table) {
    for (const Lane& lane : backend.lanes) {
      if (lane.name() == name) return &lane;
    }
  }
  return nullptr;
}

/// The physical identity of the card behind a lane, the same under every backend. Empty for what runs on
/// the processors, and for a card that only its backend can tell from others (`opencl:nvidia:0`).
[[nodiscard]] inline std::string card_of(const Lane& lane) {
  const DeviceInfo& device = lane.device;
  const bool is_card = device.type == DeviceType::gpu || device.type == DeviceType::accelerator;
  return is_card && !device.physical.starts_with(lane.backend + ':') ? device.physical : std::string();
}

}  // namespace benchctl

// Which devices this machine has, per backend.
#pragma once

#include "model/point.hpp"

#include <string>
#include <vector>

namespace benchctl {

struct BackendLanes {
  std::string backend;
  std::vector<Lane> lanes;
  std::string unavailable;  ///< why there are none
};

using LaneTable = std::vector<BackendLanes>;

/// The lane of that name, or null.
[[nodiscard]] inline const Lane* find_lane(const LaneTable& table, std::string_view name) {
  for (const BackendLanes& backend : table) {
    for (const Lane& lane : backend.lanes) {
      if (lane.name() == name) return &lane;
    }
  }
  return nullptr;
}

}  // namespace benchctl

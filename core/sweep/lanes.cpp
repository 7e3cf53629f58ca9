#include "sweep/lanes.hpp"

#include "model/words.hpp"

#include <fmt/format.h>
#include <benchctl/software.hpp>

#include <algorithm>

namespace benchctl {

bool are_lanes_unknown(const LaneTable& table) {
  return std::ranges::any_of(table,
                             [](const BackendLanes& backend) { return backend.status != Status::skipped; });
}

const Lane* find_lane(const LaneTable& table, std::string_view name) {
  for (const BackendLanes& backend : table) {
    if (const Lane* lane = find_lane(backend.lanes, name)) return lane;
  }
  return nullptr;
}

std::string card_of(const Lane& lane) {
  const DeviceInfo& device = lane.device;
  const bool is_card = device.type == DeviceType::gpu || device.type == DeviceType::accelerator;
  return is_card && !device.physical.starts_with(lane.backend + ':') ? device.physical : std::string();
}

void leave_out_software(LaneTable& table, const std::vector<std::string>& backends,
                        const std::vector<std::string>& devices) {
  for (BackendLanes& backend : table) {
    if (std::ranges::find(backends, backend.backend) != backends.end()) continue;
    std::vector<std::string> left_out;
    std::erase_if(backend.lanes, [&](const Lane& lane) {
      const std::string name = lane.name();
      if (!is_software(lane.device) || any_matches(devices, name)) return false;
      left_out.push_back(name);
      return true;
    });
    if (!backend.lanes.empty() || left_out.empty()) continue;
    backend.unavailable = fmt::format("{} ({}), which runs when --backend {} or --device names it",
                                      only_software_words, fmt::join(left_out, ", "), backend.backend);
  }
}

}  // namespace benchctl

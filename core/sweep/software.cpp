#include "sweep/software.hpp"

#include "model/glob.hpp"

#include <fmt/format.h>
#include <benchctl/software.hpp>

#include <algorithm>

namespace benchctl {

void leave_out_software(LaneTable& table, const std::vector<std::string>& backends,
                        const std::vector<std::string>& devices) {
  for (BackendLanes& backend : table) {
    if (std::ranges::find(backends, backend.backend) != backends.end()) continue;
    std::vector<std::string> left_out;
    std::erase_if(backend.lanes, [&](const Lane& lane) {
      const std::string name = lane.name();
      const bool meant = std::ranges::any_of(
          devices, [&](const std::string& pattern) { return glob_match(pattern, name); });
      if (!is_software(lane.device) || meant) return false;
      left_out.push_back(name);
      return true;
    });
    if (!backend.lanes.empty() || left_out.empty()) continue;
    backend.unavailable =
        fmt::format("only software ({}), which runs when --backend {} or --device names it",
                    fmt::join(left_out, ", "), backend.backend);
  }
}

}  // namespace benchctl

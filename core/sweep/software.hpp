// Software devices run only where somebody asked for them.
#pragma once

#include "sweep/lanes.hpp"

#include <string>
#include <vector>

namespace benchctl {

/// Removes software devices that were not requested: `backends` has no name of theirs, and no pattern of
/// `devices` means them. A backend that has no other device then says so.
void leave_out_software(LaneTable& table, const std::vector<std::string>& backends,
                        const std::vector<std::string>& devices);

}  // namespace benchctl

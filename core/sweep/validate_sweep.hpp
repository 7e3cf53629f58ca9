// Checks one sweep against what the backends can do. Internal to this room.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"

namespace benchctl {

/// Reports names that no selected backend, workload or variant of the sweep has, and values that none can
/// take; as warnings where a backend that is not there might.
void validate_sweep(const Sweep& sweep, const Catalogue& catalogue, Reporter& reporter);

}  // namespace benchctl

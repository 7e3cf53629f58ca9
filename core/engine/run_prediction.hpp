// Predicted times beside the measured ones of a whole run, as far as the ceilings of its devices are known.
#pragma once

#include "config/config.hpp"
#include "store/store.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"

namespace benchctl {

/// Stores the ceilings that the run used and, with each point that they say something of, what follows from
/// them. `roofs` says which ceilings count: those of this run, of any run in the store, or none. Throws
/// StoreError.
void predict_run(Store& store, RunId run, const Catalogue& catalogue, const LaneTable& lanes, Roofs roofs);

}  // namespace benchctl

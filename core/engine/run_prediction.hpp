// Predicted times beside the measured ones of a whole run, as far as the roofs of its devices are known.
#pragma once

#include "config/config.hpp"
#include "predict/bound.hpp"
#include "store/store.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"

namespace benchctl {

/// The roofs that count for a run: those that it measured itself, or those of any run in the store but
/// replays and self-tests.
struct RunRoofs {
  std::vector<RoofRow> rows;
  std::map<std::string, predict::Roofs, std::less<>> by_lane;  ///< by Lane::name()
};
/// As far as they are measured by now. Throws StoreError.
[[nodiscard]] RunRoofs roofs_of_run(Store& store, RunId run, const Catalogue& catalogue,
                                    const LaneTable& lanes, Roofs roofs);

/// Stores the roofs that the run used and, with each point that they say something of, what follows from
/// them. `roofs` says which roofs count: those of this run, of any run in the store, or none. Throws
/// StoreError.
void predict_run(Store& store, RunId run, const Workloads& workloads, const Catalogue& catalogue,
                 const LaneTable& lanes, Roofs roofs);

}  // namespace benchctl

// Measures one group: all points of one problem, on all their lanes and in all their sizes, interleaved in
// rounds.
#pragma once

#include "engine/run_context.hpp"
#include "sweep/group.hpp"

namespace benchctl {

/// Every point of the group has its final status in the store afterwards, unless the run was interrupted:
/// then what was sampled is there and the rest is open. Throws StoreError only.
void run_group(RunContext& run, const Group& group, const Turn& turn);

}  // namespace benchctl

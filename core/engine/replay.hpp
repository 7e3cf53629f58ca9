// One stored point, run exactly again: no sweep, no warm-up, no rounds, nothing but its own executions, so
// that a profiler or a debugger sees little else.
#pragma once

#include "observe/environment.hpp"
#include "store/store.hpp"
#include "sweep/catalogue.hpp"
#include "worker/channel.hpp"
#include "workloads/workload.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

struct ReplayOptions {
  std::filesystem::path folder;     ///< for the reference
  std::filesystem::path cache;      ///< compiled kernels; empty: none are kept
  std::uint64_t seed = 1;           ///< seed of the inputs
  std::uint32_t repeat = 1;         ///< executions after the verifying one; without timing, all of them
  bool timed = true;                ///< false: every execution is verified, none is timed
  bool device_debug = false;        ///< compile with debug information; `timed` must be false
  double timeout_seconds = 120;     ///< limit for one verb, where the channel has a watchdog
  std::filesystem::path dump = {};  ///< where the verifying execution leaves its buffers; empty: nowhere
  std::string configuration = {};   ///< a choice's configuration: the stored note configuration_note
};

struct ReplayOutcome : Result {
  SampleBlock samples;  ///< one execution each; none if not timed
};

/// Runs a point on a lane. What goes wrong is the outcome's status. Throws std::runtime_error when the
/// backend is not there or has no such variant (any more).
[[nodiscard]] ReplayOutcome replay_point(const Point& point, const Lane& lane, const Workloads& workloads,
                                         const Catalogue& catalogue, ChannelFactory& factory,
                                         const ReplayOptions& options);

/// What of all that a stored result depends on is different now: sentences, empty if nothing is. `now_key`
/// is the content key that the point would have today.
[[nodiscard]] std::vector<std::string> changes_since(const PointRow& stored, const Environment& then,
                                                     const Lane* then_lane, const Environment& now,
                                                     const Lane& now_lane, const std::string& now_key);

}  // namespace benchctl

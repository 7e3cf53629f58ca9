// What a point's access patterns and a device's measured roofs say about its time, as metrics beside the
// measured one; and that of a whole run, as far as the roofs of its devices are known.
#pragma once

#include "config/config.hpp"
#include "predict/bound.hpp"
#include "store/store.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"
#include "workloads/workload.hpp"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace benchctl {

/// Metrics that do not depend on roofs: `sectors_per_request`, `sector_efficiency`, `line_efficiency`,
/// `conflict_degree`, `dram_bytes_read`, `dram_bytes_apart`, `dram_bytes_written`, `cache_bytes`,
/// `shared_bytes`, `requested_bytes`; those that mean nothing for the point or its device are absent.
/// Throws predict::PatternError.
[[nodiscard]] Resources counted_traffic(const Point& point, const Workload& workload,
                                        const VariantInfo& variant, const DeviceInfo& device);

/// Best rate of each probe on a lane's device, among points of the workload `peaks`, newest run first. A
/// newer run's probe replaces an older one of the same parameters, bytes and launch mode. Left out are
/// kernels that are not the backend's own (a config's), probes of memory whose bytes fit into the last
/// cache, of the cache whose bytes do not, and those with another cache mode than `hot`. What a launch
/// costs is a roof for each clock that it was measured with: `launch` where executions were queued before
/// the clock began, `launch_ungated` where they were not, `launch_host_sync` by the host's clock.
[[nodiscard]] std::vector<RoofRow> roofs_of(std::span<const MeasuredPoint> peaks, const Lane& lane,
                                            const BackendEntry& backend);

/// Adds to a result what the roofs of its device say of it. Metrics, none where a roof is missing that may
/// bind: `predicted_ns` from what was counted, `roof_fraction` from the workload's own cost. Notes:
/// `predicted_by`, the roof that binds; `roof_missing`, those that were not measured, separated by spaces;
/// `compute_path` of the operations, by its roof; `above_roof`. Nothing without a measurement, for roofs
/// themselves, and for points whose time holds transfers to or from the host. `launches`: of an execution.
void add_prediction(Result& result, const Workload& workload, const VariantInfo& variant,
                    const DeviceInfo& device, std::size_t launches, const predict::Roofs& roofs);

/// Operations per second over the measured roof of the path that the variant says it computes on; 0 where
/// either is unknown. More than 1: fewer operations than the workload counts (emulated precision, products
/// that save some), another path than was said, or a roof that was measured on a busy machine.
[[nodiscard]] double share_of_compute_roof(const Parameters& problem, const VariantInfo& variant,
                                           double flops, double median_ns, const predict::Roofs& roofs);
/// Beyond this share a point gets the note `above_roof` and a larger audit.
inline constexpr double most_of_compute_roof = 1.05;

/// The roofs that count for a run: those that it measured itself, or those of any run in the store but
/// replays and self-tests.
class RunRoofs {
 public:
  /// Those that the store has. Throws StoreError.
  RunRoofs(Store& store, RunId run, const Catalogue& catalogue, const LaneTable& lanes, Roofs wanted);

  /// The run has these results of probes now.
  void add(std::span<const Result* const> peaks);
  /// By Lane::name(); null where none is measured.
  [[nodiscard]] const predict::Roofs* of(const std::string& lane) const;

 private:
  /// Writes those that the run uses into the store.
  void update();

  Store& store_;
  RunId run_;
  const Catalogue& catalogue_;
  const LaneTable& lanes_;
  Roofs wanted_;
  std::vector<MeasuredPoint> peaks_;  ///< newest run first, each by ordinal
  std::set<RunId> newer_;             ///< runs that are newer than this one
  std::map<std::string, predict::Roofs, std::less<>> by_lane_;
};

}  // namespace benchctl

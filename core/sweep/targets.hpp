// What a sweep runs on: lanes, and backends that have none, each with the axes and measure settings that
// the overrides leave it; and absent backends. Internal to this room.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"

#include <string>
#include <vector>

namespace benchctl {

struct Target {
  const BackendEntry* backend = nullptr;
  const Lane* lane = nullptr;                 ///< null: the backend has no device
  std::string name;                           ///< the lane's, or just the backend's
  std::string no_device = {};                 ///< why there is no lane
  Status no_device_status = Status::skipped;  ///< what that makes of its points
  std::vector<Axis> axes = {};                ///< the sweep's as written, then those that overrides add
  MeasureSettings measure = {};
};

/// In the order of the sweep's backends, then of the lane table. Simulators only if a pattern of
/// `devices` names them. A pattern without any lane becomes a warning. Throws ConfigErrors when
/// overrides together leave tied axes of different lengths.
[[nodiscard]] std::vector<Target> sweep_targets(const Config& config, const Sweep& sweep,
                                                const Catalogue& catalogue, const LaneTable& lanes,
                                                Reporter& warnings);

/// The absent backends that the sweep means: those that it names, or all if it names none.
[[nodiscard]] std::vector<const AbsentBackend*> absent_backends(const Sweep& sweep,
                                                                const Catalogue& catalogue);

/// A skipped point for every variant of an absent backend that the sweep may mean: the config's own
/// kernels, and words that no present backend knows. `*` stands for variants that nobody can name: if the
/// sweep names the backend, or a tunable that no present backend knows.
[[nodiscard]] std::vector<Point> absent_rows(const Config& config, std::size_t sweep,
                                             const Catalogue& catalogue);

}  // namespace benchctl

// What `benchctl tune` makes of a config's sweeps.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"

#include <cstdint>
#include <optional>

namespace benchctl {

/// What the command line says; where it says nothing the config's [search] holds.
struct TuningLimits {
  std::optional<std::uint64_t> points;  ///< tried for each problem and device
  std::optional<std::uint64_t> seed;
};

/// Points of a problem that are tried unless the command line or the config says otherwise.
inline constexpr std::uint64_t default_tuning_points = 48;

/// Replaces each sweep by searches, one for every variant in it that is a choice or has tunables with
/// values worth trying: over the variants that a choice is among, and over the sweep's axes, these values,
/// the defaults, and what tuning tables have. A variant that one of the sweep's choices is among is
/// searched with that choice alone. No sweep is left if there is nothing to tune. Own kernels must be in
/// the catalogue.
void make_tuning_sweeps(Config& config, const Catalogue& catalogue, const TuningLimits& limits);

}  // namespace benchctl

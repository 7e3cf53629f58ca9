// Configs and tuning tables that use names which tunables had before.
#pragma once

#include "config/config.hpp"
#include "model/former_names.hpp"
#include "sweep/catalogue.hpp"

namespace benchctl {

/// What the tunables of a sweep's variants were called before.
[[nodiscard]] FormerNames former_names(const Sweep& sweep, const Catalogue& catalogue);

/// Axes, ties, conditions and overrides of sweeps, published figures and the baseline of comparisons. In a
/// sweep a name means what it is called so today, if any of its variants has such a tunable.
void use_current_names(Config& config, const Catalogue& catalogue);

/// Of each configuration in the tables of a backend.
void use_current_names(BackendEntry& backend);

}  // namespace benchctl

// Kernels that a config brings itself, as variants beside those of the plugins.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"

namespace benchctl {

/// Adds the config's kernels to the variants of their backends. Throws ConfigErrors: a backend that nobody
/// knows, a name that the backend has for that workload already, a tunable that has neither a default nor
/// values in a sweep. Kernels of a backend that is known but absent are noted with it. To be called after
/// `--set`.
void add_own_kernels(Catalogue& catalogue, const Config& config);

}  // namespace benchctl

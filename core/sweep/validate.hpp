// What a config can be told from the tables of workloads, backends and variants alone: no device is
// asked, so a config is right or wrong on every machine alike.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"

#include <vector>

namespace benchctl {

/// Names and values that nothing has, as errors with their places and the nearest valid name. What an
/// absent backend might have is given the benefit of the doubt, as a warning. In the order of the text.
[[nodiscard]] std::vector<Diagnostic> validate(const Config& config, const Catalogue& catalogue);

/// The part of validate() for one sweep: reports names that no selected backend, workload or variant of the
/// sweep has, and values that none can take; as warnings where a backend that is not there might.
void validate_sweep(const Sweep& sweep, const Workloads& workloads, const Catalogue& catalogue,
                    Reporter& reporter);

}  // namespace benchctl

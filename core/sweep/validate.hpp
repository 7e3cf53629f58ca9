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

}  // namespace benchctl

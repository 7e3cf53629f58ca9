// Rows of a plan for backends that are not there.
#pragma once

#include "config/config.hpp"
#include "model/point.hpp"
#include "sweep/catalogue.hpp"

#include <vector>

namespace benchctl {

/// A skipped point for every variant that the sweep may mean of a backend that is not there: the config's
/// own kernels, and words that no backend knows that is there. `*` stands for variants that nobody can
/// name: where the sweep names the backend, or a tunable that no backend knows that is there.
[[nodiscard]] std::vector<Point> absent_rows(const Config& config, std::size_t sweep,
                                             const Catalogue& catalogue);

}  // namespace benchctl

// One measurement from several fresh processes.
#pragma once

#include <benchctl/backend.hpp>

#include "model/measure.hpp"

#include <span>
#include <vector>

namespace benchctl {

/// What one worker process measured of a point.
struct Replicate {
  std::vector<double> samples;
  Measurement measurement;
};

/// Fills in everything that is computed from the samples themselves.
void summarize_into(Measurement& result, std::span<const double> samples);

/// One measurement over all samples of all replicates. Samples of one process are alike in ways that
/// another process is not (where memory lies, which pages it got): with two replicates or more the interval
/// is Student's around the median from the scatter of the replicates' medians (on the logarithms, k − 1
/// degrees of freedom). Two replicates make that interval very wide; five are a good number. `replicates`
/// is not empty.
[[nodiscard]] Measurement combine(std::span<const Replicate> replicates);

/// `replicates`, `within_spread` and `between_spread` (core/model/metrics.hpp); nothing for a single one.
[[nodiscard]] Resources replicate_metrics(std::span<const Replicate> replicates);

/// `mode_low_ns`, `mode_high_ns` and `mode_high_share` of all samples, where they have two modes
/// (stats/modes.hpp) that are at least 1 % apart.
[[nodiscard]] Resources mode_metrics(std::span<const Replicate> replicates);

}  // namespace benchctl

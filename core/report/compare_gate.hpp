// Which differences count as failure.
#pragma once

#include "report/compare.hpp"

namespace benchctl {

/// The practical threshold for a point's time.
[[nodiscard]] double gate_threshold(const CompareOptions& options, const Point& point);

/// Fills `fails`, `metrics` and `verdict`. The verdict is the gravest failure: regressed, then failed, then
/// not comparable, then not resolved. Two runs without a point in common are not comparable
/// whatever the policy says.
void apply_gate(CompareResult& result, const CompareOptions& options);

}  // namespace benchctl

#include "store/may_win.hpp"

#include <cmath>

namespace benchctl {

namespace {

/// Shares are shown in whole per cents: what shows as 100 % is at its roof.
constexpr double share_at_roof = 1.005;

}  // namespace

bool has_time(const StoredPoint& stored) {
  const StatusClass status = info(stored.row.point.status).status_class;
  const auto& measurement = stored.measurement;
  return measurement && measurement->median_ns > 0 && std::isfinite(measurement->median_ns) &&
         (status == StatusClass::good || status == StatusClass::warning);
}

bool is_above_roof(const StoredPoint& stored) {
  if (!has_time(stored)) return false;
  if (stored.notes.contains("above_roof")) return true;
  const auto share = stored.resources.find("roof_fraction");
  if (share == stored.resources.end()) return false;
  const Measurement& m = *stored.measurement;
  return share->second * m.median_ns / range_of(m).high_ns > share_at_roof;
}

bool may_win(const StoredPoint& stored) {
  return has_time(stored) && stored.row.point.expect == Expect::right &&
         !stored.notes.contains(audit_undecided_note) && !stored.notes.contains(measured_again_note) &&
         !is_above_roof(stored);
}

}  // namespace benchctl

// May a result be called the fastest? Asked by whoever compares and by whoever reports.
#pragma once

#include "store/records.hpp"

namespace benchctl {

/// Has it a time that a table may show: measured, verified, and neither wrong nor implausible?
[[nodiscard]] bool has_time(const StoredPoint& stored);

/// Is even the slow end of its range above a measured roof? Then the roof is too low, or the kernel leaves
/// work out.
[[nodiscard]] bool is_above_roof(const StoredPoint& stored);

/// A time of a right result that is not above a measured roof, and was not measured again in its run.
[[nodiscard]] bool may_win(const StoredPoint& stored);

/// The note of a result whose audit could not decide and whose audited times disagree with the reported
/// one.
inline constexpr std::string_view audit_undecided_note = "audit_undecided";

/// The note of a result that stands back behind a later one of the same point in its run.
inline constexpr std::string_view measured_again_note = "measured_again";

}  // namespace benchctl

// The result of a point: what the store gives and every writer of tables, documents and pages takes.
#pragma once

#include "model/comparison.hpp"
#include "model/metrics.hpp"
#include "store/records.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Has it a time that a table may show: measured, verified, and neither wrong nor implausible?
[[nodiscard]] bool has_time(Status status, const std::optional<Measurement>& measurement);

/// A point of a run with all that was found out about it, and the figures that follow from it.
struct Result {
  PointRow row;
  std::optional<Measurement> measurement;
  std::vector<Comparison> comparisons = {};  ///< at most one of each kind
  std::map<VerificationPhase, Verification> verifications;
  Resources resources;
  std::map<std::string, std::string, std::less<>> notes;

  [[nodiscard]] const Point& point() const { return row.point; }
  /// Null where it was not compared with that.
  [[nodiscard]] const Comparison* compared(Against against) const {
    const auto found = std::ranges::find(comparisons, against, &Comparison::against);
    return found != comparisons.end() ? &*found : nullptr;
  }

  /// A figure of the table of metrics: times of the measurement, rates, and what the store holds beside
  /// them. NaN where there is none.
  [[nodiscard]] double metric(std::string_view id) const;
  /// Operations that the workload counts over the median; NaN without a measurement or without any.
  [[nodiscard]] double gflops() const;
  /// The same for bytes read and written, and for bytes that threads ask for, where those were counted.
  [[nodiscard]] double gbytes_per_s() const;
  [[nodiscard]] double requested_gbytes_per_s() const;
  /// Operations per byte read or written; NaN where one of them is not counted.
  [[nodiscard]] double intensity() const;
  /// Median over the accesses that follow one another; NaN without any.
  [[nodiscard]] double ns_per_access() const;
  /// The larger of before and after timing; NaN if never verified.
  [[nodiscard]] double error_norm() const;
  /// Were all verifications passed? Nothing if there was none.
  [[nodiscard]] std::optional<bool> verified() const;

  /// A note; empty without it.
  [[nodiscard]] std::string note(std::string_view key) const;
  /// `16 threads`, by the note `threads` of its variant; empty without the note.
  [[nodiscard]] std::string threads() const;
  /// `cuBLAS` by the note `library = cuBLAS 12.4` of a vendor's variant; empty without the note.
  [[nodiscard]] std::string library() const;

  [[nodiscard]] bool timed() const { return has_time(row.point.status, measurement); }
};

/// In nanoseconds, of a result that has a measurement.
[[nodiscard]] inline double median_of(const Result& result) { return result.measurement->median_ns; }

/// What a search makes least: the objective's figure, or its inverse where more is better. Nothing without
/// such a figure.
[[nodiscard]] std::optional<double> cost_of(const Result& result, const MetricInfo& objective);

/// A measured point of some run with the device that it ran on.
struct MeasuredPoint {
  Result point;
  Lane lane;
};

/// Is even the slow end of its range above a measured roof? Then the roof is too low, or the kernel leaves
/// work out.
[[nodiscard]] bool is_above_roof(const Result& result);

/// May it be called the fastest? A time of a right result that is not above a measured roof, and was not
/// measured again in its run. Asked by whoever compares and by whoever reports.
[[nodiscard]] bool may_win(const Result& result);

/// The note of a result whose audit could not decide and whose audited times disagree with the reported
/// one.
inline constexpr std::string_view audit_undecided_note = "audit_undecided";
/// The note of a result of a kernel that says itself what is right for its workload.
inline constexpr std::string_view own_reference_note = "own_reference";

/// The note of a result that stands back behind a later one of the same point in its run.
inline constexpr std::string_view measured_again_note = "measured_again";

}  // namespace benchctl

// A point of a run as reports show it: what the store holds and the rates made from it.
#pragma once

#include "store/store.hpp"

#include <optional>
#include <vector>

namespace benchctl {

struct ResultRow {
  StoredPoint stored;
  double gflops = 0;         ///< from the median; NaN without a measurement or without flops
  double gbytes_per_s = 0;   ///< the same for bytes read and written
  double ns_per_access = 0;  ///< median over the accesses that follow one another; NaN without any
  /// The same for bytes that threads ask for, where those were counted.
  double requested_gbytes_per_s = 0;
  double error_norm = 0;  ///< the larger of before and after timing; NaN if never verified
  /// Were all verifications passed? Nothing if there was none.
  std::optional<bool> verified;

  [[nodiscard]] const Point& point() const { return stored.row.point; }
  /// A metric that the store holds for the point; NaN when there is none.
  [[nodiscard]] double metric(std::string_view id) const;
  /// Has it times that a table may show (has_time)?
  [[nodiscard]] bool timed() const;
  /// Where samples have two modes: `bimodal 122/207 µs`; else empty.
  [[nodiscard]] std::string modes_text() const;
  /// `16 threads`, by the note `threads` of its variant; empty without the note.
  [[nodiscard]] std::string threads() const;
  /// `cuBLAS` by the note `library = cuBLAS 12.4` of a vendor's variant; empty without the note.
  [[nodiscard]] std::string library() const;
  /// A note; empty without it.
  [[nodiscard]] std::string note(std::string_view key) const;
};

/// In nanoseconds, of a row that has a measurement.
[[nodiscard]] inline double median_of(const ResultRow& row) { return row.stored.measurement->median_ns; }

[[nodiscard]] ResultRow make_row(StoredPoint stored);

/// All points of a run, by ordinal.
[[nodiscard]] std::vector<ResultRow> result_rows(const Store& store, RunId run);

}  // namespace benchctl

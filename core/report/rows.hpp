// A point of a run as reports show it: what the store holds, the rates made from it, and its share of the
// datasheet.
#pragma once

#include "model/datasheet.hpp"
#include "store/store.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

// What a device's vendor says that it can do at most, beside what was measured. The figures are facts that
// the backend reports about the device; core knows none of its own.

/// Is the roof of that probe one of operations, in FLOP per second? Others are of bytes, or of launches.
[[nodiscard]] bool is_arithmetic(std::string_view probe);

/// The device of a lane as all lanes of its run know it. Several backends may drive one piece of hardware
/// (DeviceInfo::physical), and not all tell its figures.
struct DatasheetDevice {
  DatasheetPeaks peaks;
  std::uint64_t last_level_cache_bytes = 0;  ///< the largest that one of them tells
};
[[nodiscard]] DatasheetDevice datasheet_device(const Lane& lane, std::span<const Lane> lanes_of_run);

/// The least time that the point's own bytes and operations would take at these peaks, over its median. The
/// longer of the two decides. NaN where that cannot be said: for a point that has no share of a measured
/// roof either (`roof_fraction`; its time holds transfers, or no roofs were used); where memory has no
/// peak; where operations may be the longer part and the peak of their compute path is not known (`roofs`:
/// the slowest roof of arithmetic that was measured bounds them then); where memory decides and the
/// working set stays in a cache, which datasheets do not cover.
[[nodiscard]] double datasheet_share(const ResultRow& row, const DatasheetDevice& device,
                                     const std::map<std::string, double>& roofs);

}  // namespace benchctl

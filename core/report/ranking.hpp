// Which points are the fastest among comparable ones.
#pragma once

#include "report/rows.hpp"

#include <span>
#include <vector>

namespace benchctl {

struct Rank {
  /// Fastest of its device, or fastest of its device that is no vendor's; every point that cannot be told
  /// apart from that one (their intervals overlap) is marked, too, if both are known well enough to be
  /// called equally fast.
  bool fastest = false;
  double versus_best = 0;  ///< median over the smallest median of the device; NaN if it takes no part
  bool best = false;       ///< fastest of its device, a vendor's or not, or not to be told apart from it
  /// Its interval overlaps that of the fastest, and one of the two is so wide that this says nothing:
  /// neither `best` nor slower.
  bool unresolved = false;
  /// Rows of its device ran on different numbers of threads: each has to say on how many.
  bool threads_differ = false;
};

/// Has the row a time that may win: measured, right and meant to be right?
[[nodiscard]] bool takes_part(const ResultRow& row);

/// Ranks rows that are comparable: same problem, same way of measuring. Rows without times, and those
/// that are expected to be wrong, take no part. In the order of the rows. `devices` numbers the device of
/// each row: those of one number compete.
[[nodiscard]] std::vector<Rank> rank_within(std::span<const ResultRow* const> rows,
                                            std::span<const std::size_t> devices);

/// The same with devices told apart by their names, as in the rows of one run.
[[nodiscard]] std::vector<Rank> rank_by_device(std::span<const ResultRow* const> rows);

}  // namespace benchctl

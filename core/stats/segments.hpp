// Cuts a series into segments of one level each; single odd values make no segment.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace benchctl::stats {

/// Fewest values of a segment: at the ends of a series, and between two cuts. One odd value more is needed
/// between cuts, where it may lie at any of many places.
struct SegmentLengths {
  std::size_t end = 3;
  std::size_t inner = 4;
};

/// First values of the segments that minimise the sum of |value − median of its segment| plus `penalty` for
/// each segment: optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an
/// interval", IEEE Signal Processing Letters 12, 2005) with the cost of Laplace's distribution, under which
/// single outliers gain nothing by a cut (Fearnhead & Rigaill, "Changepoint detection in the presence of
/// outliers", JASA 114, 2019). The first is 0; empty for an empty series. Time n² log n, memory n.
[[nodiscard]] std::vector<std::size_t> robust_segments(std::span<const double> values, double penalty,
                                                       const SegmentLengths& lengths);

}  // namespace benchctl::stats

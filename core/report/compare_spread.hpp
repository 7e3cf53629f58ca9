// How far times scatter from process to process, for comparisons of runs.
#pragma once

#include "report/compare_side.hpp"
#include "stats/between_runs.hpp"

#include <string>
#include <vector>

namespace benchctl {

/// Where a comparison takes the spread between processes from.
struct SpreadSource {
  std::size_t replicated = 0;  ///< pairs for which it comes from the processes of their own two runs
  std::size_t from_runs = 0;   ///< pairs for which it comes from other runs of the store …
  std::size_t runs = 0;        ///< … so many
  std::size_t builds = 0;      ///< … of so many builds of benchctl
  std::size_t unknown = 0;     ///< pairs for which nothing tells it
  bool given = false;          ///< the caller has said it
};

/// Two points that are compared, and what is known of their spread.
struct SpreadPair {
  const ComparedPoint* base = nullptr;
  const ComparedPoint* fresh = nullptr;
  std::string lane;  ///< the lane of `fresh`
  stats::RunSpread spread;
};

/// Medians of the processes that measured a point of the side, in their order. Throws StoreError.
[[nodiscard]] std::vector<double> process_medians(const CompareSide& side, const ComparedPoint& point);

/// Are they the same card or processor, driven by the same driver?
[[nodiscard]] bool same_device_and_driver(const Lane& a, const Lane& b);

/// Has it a time of its own, `ok` or `unstable`, above 0?
[[nodiscard]] bool counts_for_spread(const StoredPoint& stored);

/// Processes that a point's median comes from.
[[nodiscard]] double processes_of(const ComparedPoint& point);

/// Fills in `spread` of each pair: from the processes of both runs where they have replicates, else from
/// the other complete runs in the sides' stores that have the name of new's run: the same point on the same
/// device with the same driver, whatever the build. At most 20 runs are read, and no more than hold 100,000
/// points together; none where they are too few to tell a spread. Throws StoreError.
SpreadSource find_spreads(const CompareSide& base, const CompareSide& fresh,
                          std::vector<SpreadPair>& pairs);

}  // namespace benchctl

// One side of a comparison: a run of a store.
#pragma once

#include "observe/comparability.hpp"
#include "stats/ratio.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// Digests of the files that a run's config brought along (sources of kernels, references), by name.
using FileDigests = std::map<std::string, std::string>;
[[nodiscard]] FileDigests file_digests(const Store& store, RunId run);

struct CompareSide {
  std::string label;  ///< `run 3 of a.db`
  RunRow run;
  Circumstances circumstances;
  std::vector<Result> points;    ///< by ordinal
  const Store* store = nullptr;  ///< must live as long as the side
  FileDigests files{};
  /// All samples of a point, in the order in which they were taken. Throws StoreError.
  std::function<std::vector<SampleRow>(PointId)> samples{};
};

/// How the files of two runs differ, as words by name: `add.cl changed`.
[[nodiscard]] std::vector<std::string> changed_files(const FileDigests& before, const FileDigests& after);

/// Throws StoreError, also for a run that is not there or whose environment cannot be read.
[[nodiscard]] CompareSide side_of(const Store& store, RunId run);
/// Two stores whose files have one name are called by their paths.
void name_apart(CompareSide& base, CompareSide& fresh);
/// Median time of each round, by process and round. Throws StoreError.
using Rounds = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;
[[nodiscard]] Rounds rounds_of(const CompareSide& side, const Result& point);

/// A point's median with its interval at the level at which `comparisons` intervals hold together at 95 %:
/// for one, that of its tables. From the samples, with what depends on each other and what differs between
/// replicates taken into account as in the engine (docs/statistics.md). Samples that make no interval have
/// the stored one widened as normal errors, or Student's where there are replicates, would be. Unknown
/// where there are too few samples. The point must have a measurement. Throws StoreError.
[[nodiscard]] stats::MedianEstimate median_estimate(const CompareSide& side, const Result& point,
                                                    std::size_t comparisons);

/// Medians of the processes that measured a point, in their order. Throws StoreError.
[[nodiscard]] std::vector<double> process_medians(const CompareSide& side, const Result& point);

/// Processes that a point's median comes from, at least 1.
[[nodiscard]] double processes_of(const Result& point);

}  // namespace benchctl

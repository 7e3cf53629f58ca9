// One side of a comparison: a run from a store, or from a document that benchctl has exported.
#pragma once

#include "observe/comparability.hpp"
#include "stats/ratio.hpp"
#include "store/store.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl {

/// A point with what comparisons need of it.
struct ComparedPoint {
  Point point;  ///< with its status and reason
  std::optional<Measurement> measurement;
  std::optional<double> replicates;  ///< processes that its samples are from, where its row says so
  std::string picked;  ///< the variant and tunables that a choice took; only in a run from a store
  PointId stored{};    ///< where its samples are, in a run from a store
  std::string row;     ///< its row as JSON, without samples; only in a run from a document
  /// Samples by replicate, where the run is from a document that has them.
  std::vector<std::vector<double>> samples;
  /// Median time of each round, by process and round, where both sides shared processes and rounds.
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> rounds;

  /// Has it a time that can be compared: `ok` or `unstable`, and above 0?
  [[nodiscard]] bool timed() const;
};

/// Digests of the files that a run's config brought along (sources of kernels, references), by name.
using FileDigests = std::map<std::string, std::string>;
[[nodiscard]] FileDigests file_digests(const Store& store, RunId run);

struct CompareSide {
  std::string label;  ///< `run 3 of a.db`, `a.json`
  RunRow run;         ///< where it is from a document: what that tells
  Circumstances circumstances;
  std::vector<ComparedPoint> points;   ///< by ordinal
  const Store* store = nullptr;        ///< null for a document; must live as long as the side
  std::optional<FileDigests> files{};  ///< absent where a document does not tell them
};

/// How the files of two runs differ, as words by name: `add.cl changed`.
[[nodiscard]] std::vector<std::string> changed_files(const FileDigests& before, const FileDigests& after);

/// Throws StoreError, also for a run that is not there or whose environment cannot be read.
[[nodiscard]] CompareSide side_of(const Store& store, RunId run);
/// Two stores whose files have one name are called by their paths.
void name_apart(CompareSide& base, CompareSide& fresh);
/// Fills `rounds` of a side from a store, which has shared them with another. Throws StoreError.
void read_rounds(CompareSide& side);

/// A document that is not a report of one run; the text names it and says what to do.
class DocumentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The run in a document of `benchctl export --format json`; of several, `run` chooses one by its number.
/// Throws DocumentError.
[[nodiscard]] CompareSide side_of_document(const std::string& text, const std::string& name,
                                           std::optional<std::int64_t> run = std::nullopt);

/// Rows of a side's points (row_json), by their places, as its store or its document has them; null without
/// a place. The side must live as long.
using RowReader = std::function<nlohmann::ordered_json(std::optional<std::size_t>)>;
[[nodiscard]] RowReader row_reader(const CompareSide& side);

/// Times of a point's samples in use, by replicate.
using TimesReader = std::function<std::vector<std::vector<double>>(const ComparedPoint&)>;

/// For points of the side, which must live as long; those of a store all as of this moment. Throws
/// StoreError.
[[nodiscard]] TimesReader times_reader(const CompareSide& side);

/// A point's median with its interval at the level at which `comparisons` intervals hold together at 95 %:
/// for one, that of its tables. From the samples, with what depends on each other and what differs between
/// replicates taken into account as in the engine (docs/statistics.md); a document without samples has its
/// intervals widened as normal errors, or Student's where there are replicates, would be. Unknown where
/// there are too few samples. The point must have a measurement. Throws StoreError.
[[nodiscard]] stats::MedianEstimate median_estimate(const ComparedPoint& point, const TimesReader& times,
                                                    std::size_t comparisons);

/// Medians of the processes that measured a point, in their order. Throws StoreError.
[[nodiscard]] std::vector<double> process_medians(const ComparedPoint& point, const TimesReader& times);

/// A number of processes, of which documents and stores may hold anything: 1 without one.
[[nodiscard]] inline double in_reason(double processes) {
  return processes >= 1 ? std::min(processes, 1e6) : 1;
}
/// Processes that a point's median comes from.
[[nodiscard]] double processes_of(const ComparedPoint& point);

}  // namespace benchctl

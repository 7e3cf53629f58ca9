// One side of a comparison: a run from a store, or from a document that benchctl has exported.
#pragma once

#include "observe/comparability.hpp"
#include "stats/ratio.hpp"
#include "stats/runs.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl {

/// Figures of a point by metric: as a map would hold them, in a quarter of its memory.
class Figures {
 public:
  Figures() = default;
  Figures(std::initializer_list<std::pair<std::string_view, double>> figures);

  /// The metric's figure is `value` from now on. An id that no metric has is left out, and so is what is
  /// not finite.
  void set(std::string_view metric, double value);
  /// NaN where there is none.
  [[nodiscard]] double get(std::string_view metric) const;
  [[nodiscard]] bool has(std::string_view metric) const;

 private:
  struct Entry {
    std::uint16_t metric = 0;  ///< its place in metric_table
    double value = 0;
  };
  std::vector<Entry> entries_;
};

/// A point with what comparisons need of it.
struct ComparedPoint {
  Point point;  ///< with its status and reason
  std::uint64_t ordinal = 0;
  std::string content_key;  ///< empty: not known
  std::optional<Measurement> measurement;
  Figures metrics;     ///< figures of the measurement, rates, resources
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

struct CompareSide {
  std::string label;  ///< `run 3 of a.db`, `a.json`
  RunRow run;         ///< where it is from a document: what that tells
  Circumstances circumstances;
  std::vector<ComparedPoint> points;  ///< by ordinal
  const Store* store = nullptr;       ///< null for a document; must live as long as the side
};

/// A run's environment. Throws StoreError if the record cannot be read.
[[nodiscard]] Environment recorded_environment(const Store& store, const RunRow& run);

/// How the files of two runs differ (sources of kernels, references), as words by name: `add.cl changed`.
[[nodiscard]] std::vector<std::string> changed_files(std::span<const RunFile> before,
                                                     std::span<const RunFile> after);

/// Throws StoreError, also for a run that is not there or whose environment cannot be read.
[[nodiscard]] CompareSide side_of(const Store& store, RunId run);
/// Fills `rounds` of a side from a store, which has shared them with another. Throws StoreError.
void read_rounds(CompareSide& side);

/// A document that is not a report of one run; the text names it and says what to do.
class DocumentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The run in a document of `benchctl export --format json` or `benchctl report --format json`. `run`
/// chooses one by its number where a report has several. Throws DocumentError.
[[nodiscard]] CompareSide side_of_document(const std::string& text, const std::string& name,
                                           std::optional<std::int64_t> run = std::nullopt);

/// Medians of a side's points with their intervals at the level at which `comparisons` intervals hold
/// together at 95 %: for one, those of its tables. From the samples, with what depends on each other and
/// what differs between replicates taken into account as in the engine (docs/statistics.md); a document
/// without samples has its intervals widened as normal errors, or Student's where there are replicates,
/// would be. Unknown where there are too few samples.
class SideEstimates {
 public:
  /// The side's store must live as long as the object. Throws StoreError.
  explicit SideEstimates(const CompareSide& side);

  /// The estimate of one of the side's points, which must have a measurement. Samples are read from the
  /// store now.
  [[nodiscard]] stats::MedianEstimate of(const ComparedPoint& point, std::size_t comparisons);

 private:
  std::function<std::vector<std::vector<double>>(PointId)> stored_;
};

/// Ratio of two medians, with the interval that holds alone, and the one for all comparisons.
struct MedianRatio {
  stats::RatioEstimate alone;
  stats::RatioEstimate joint;
};
/// New over base, by SideEstimates, for pairs of places in `base` and `fresh`. Sides of two stores are read
/// in two threads. Throws StoreError.
[[nodiscard]] std::vector<MedianRatio> median_ratios(
    const CompareSide& base, const CompareSide& fresh,
    std::span<const std::pair<std::size_t, std::size_t>> pairs, std::size_t comparisons);

// How far times scatter from process to process.

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

/// Processes that a point's median comes from.
[[nodiscard]] double processes_of(const ComparedPoint& point);

/// Fills in `spread` of each pair: from the processes of both runs where they have replicates, else from
/// the other complete runs in the sides' stores that have the name of new's run: the same point on the same
/// device with the same driver, whatever the build. At most 20 runs are read, and no more than hold 100,000
/// points together; none where they are too few to tell a spread. Throws StoreError.
SpreadSource find_spreads(const CompareSide& base, const CompareSide& fresh,
                          std::vector<SpreadPair>& pairs);

}  // namespace benchctl

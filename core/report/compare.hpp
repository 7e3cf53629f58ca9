// Two runs point by point: what is faster, slower, the same, and what cannot be said.
#pragma once

#include "config/gate.hpp"
#include "observe/comparability.hpp"
#include "report/point_names.hpp"
#include "report/text_table.hpp"
#include "stats/ratio.hpp"
#include "stats/runs.hpp"

#include <functional>
#include <span>

namespace benchctl {

// One side of a comparison: a run of a store.

/// Digests of the files that a run's config brought along (sources of kernels, references), by name.
using FileDigests = std::map<std::string, std::string>;
[[nodiscard]] FileDigests file_digests(const Store& store, RunId run);
/// How the files of two runs differ, as words by name: `add.cl changed`.
[[nodiscard]] std::vector<std::string> changed_files(const FileDigests& before, const FileDigests& after);

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

// The comparison.

/// Two sides that `ab` measured in turns.
struct Turns {
  /// After so many processes of each side they were looked at (stats/runs.hpp).
  std::vector<std::size_t> looks{};
  bool together = false;  ///< each process measured both, in common rounds
  double seconds = 0;     ///< since it began
  std::string machine{};  ///< `load 4.0 on 2 cores`; empty: not known
};

struct CompareOptions {
  /// Differences of up to this share do not matter, unless a rule of the policy says otherwise.
  double threshold = 0.01;
  GatePolicy policy{};
  /// Standard deviation of a median from process to process, as a share of it, where the caller knows it.
  std::optional<double> process_spread{};
  /// Set by `ab`: process i of one side belongs to process i of the other.
  std::optional<Turns> turns{};
  /// A point that fails in base, or in both, is a failure, too.
  bool base_must_work = false;
};

/// May times of one device in two runs be compared?
struct LaneVerdict {
  Comparability verdict = Comparability::not_comparable;
  /// Do the hosts differ so much that times of the host's clock cannot be compared, those of the device
  /// can?
  bool host_differs = false;
  std::vector<std::string> reasons = {};  ///< what differs: a sentence each
};

/// Compares two records of one lane; only differences that `counts` accepts are told.
[[nodiscard]] LaneVerdict lane_verdict(const Circumstances& first, const Circumstances& second,
                                       bool (*counts)(const Difference& difference));

/// A lane of base and the one of new that is taken for the same. The verdict's reasons are why it is not
/// plain `comparable`.
struct ComparedLane : LaneVerdict {
  std::string base;   ///< empty: base has none like it
  std::string fresh;  ///< empty: new has none like it
};

/// A figure of new over that of base, and what is said of it.
struct ComparedFigure {
  double base = no_number;   ///< for a pair its time in ns, as tables show it; NaN where there is none
  double fresh = no_number;  ///< likewise
  double ratio = no_number;  ///< new over base
  stats::Interval interval = stats::unknown_interval;  ///< 95 %, of this figure alone …
  /// … and the one that decides the outcome, corrected for the number of pairs.
  stats::Interval joint_interval = stats::unknown_interval;
  double threshold = 0;
  /// For a metric `faster` means better, `slower` worse, and `missing` that new has no such figure.
  PairOutcome outcome = PairOutcome::untimed;
  bool fails = false;  ///< does the policy count the outcome as failure?
};

/// A metric beside the time that a rule of the policy asks about. What is made from the median time alone
/// (rates, time per access) has the intervals of the pair's ratio, turned round for rates; anything else
/// has one value in each run, and no interval.
struct ComparedMetric : ComparedFigure {
  std::string metric;
  bool single_value = true;  ///< compared as it is: there is no interval
};

struct ComparedPair : ComparedFigure {
  const Result* base_point = nullptr;   ///< in CompareSide::points; null: base has none
  const Result* fresh_point = nullptr;  ///< likewise
  std::optional<std::size_t> lane;      ///< into CompareResult::lanes
  std::string reason;                   ///< where the outcome alone does not tell
  bool with_warnings = false;
  stats::RunSpread spread;  ///< how far a median scatters from process to process
  /// Faster or slower, but not resolved: within the two processes, where nothing tells the spread between
  /// processes; of runs in turns slower, and no fresh pair of processes has confirmed it.
  std::optional<PairOutcome> doubted;
  std::vector<ComparedMetric> metrics;

  /// The existing point; base's if both exist.
  [[nodiscard]] const Point& point() const { return (base_point ? base_point : fresh_point)->point(); }
  /// As a share of the median; NaN: unknown.
  [[nodiscard]] double process_spread() const { return spread.freedom > 0 ? spread.deviation : no_number; }
};

/// Pairs of one workload, or of all.
struct RatioSummary {
  std::string workload;       ///< empty: all
  stats::RatioEstimate mean;  ///< geometric mean of new over base; `n` is the number of ratios in it
  std::map<PairOutcome, std::size_t> counts;
};

/// The gravest last.
enum class GateVerdict : std::uint8_t { fine, not_resolved, not_comparable, failed, regressed };

BENCHCTL_WORDS(GateVerdict, fine, not_resolved, not_comparable, failed, regressed)

/// Where a comparison takes the spread between processes from.
struct SpreadSource {
  std::size_t replicated = 0;  ///< pairs for which it comes from the processes of their own two runs
  std::size_t from_runs = 0;   ///< pairs for which it comes from other runs of the store …
  std::size_t runs = 0;        ///< … so many
  std::size_t builds = 0;      ///< … of so many builds of benchctl
  std::size_t unknown = 0;     ///< pairs for which nothing tells it
};

struct CompareResult {
  const CompareSide* base = nullptr;
  const CompareSide* fresh = nullptr;
  CompareOptions options;
  std::size_t comparisons = 0;  ///< ratios that were compared together
  std::size_t corrected = 0;    ///< comparisons that the joint intervals are corrected for
  SpreadSource spread;
  std::vector<ComparedLane> lanes;
  /// What changed in the files of kernels, in words; none in turns, which compare them.
  std::vector<std::string> changed_files;
  std::vector<ComparedPair> pairs;      ///< in the order of base, then what only new has
  std::vector<RatioSummary> workloads;  ///< in the order of pairs
  RatioSummary all;
  PointWords words;  ///< knows the points of all pairs
  GateVerdict verdict = GateVerdict::fine;
};

/// Pairs points whose PointKey agrees but for the device's place, and decides on each. Devices are the same
/// if name and UUID agree, else if name and lane agree; failing that, any of the same name, then the same
/// lane. Both sides must live as long as the result. Throws StoreError where samples cannot be read.
[[nodiscard]] CompareResult compare_runs(const CompareSide& base, const CompareSide& fresh,
                                         const CompareOptions& options);

/// Lanes of two runs that are the same device, in the order of base, and those that only one has.
[[nodiscard]] std::vector<ComparedLane> match_lanes(const Circumstances& base, const Circumstances& fresh);

/// The outcome of a pair whose ratio was compared.
[[nodiscard]] PairOutcome outcome_of(stats::Verdict verdict);

/// Finds the spread between processes of each compared pair: from the processes of both runs where they
/// have replicates, else from the other complete runs in the sides' stores that have the name of new's run:
/// the same point on the same device with the same driver, whatever the build. At most 20 runs are read,
/// and no more than hold 100,000 points together; none where they are too few to tell a spread. Fills
/// `result.spread`. Throws StoreError.
void find_spreads(CompareResult& result, std::span<ComparedPair* const> compared);

/// The practical threshold for a point's time.
[[nodiscard]] double gate_threshold(const CompareOptions& options, const Point& point);

/// Fills `fails`, `metrics` and `verdict`. The verdict is the gravest failure: regressed, then failed, then
/// not comparable, then not resolved. Two runs without a point in common are not comparable whatever the
/// policy says. Throws StoreError where a rule asks for metrics that cannot be read.
void apply_gate(CompareResult& result);

// What a comparison comes to, in words.

/// `3 slower, 12 same`.
[[nodiscard]] std::string counts_text(const RatioSummary& summary);
/// A sentence: what the comparison comes to; of sides in turns with the figures behind it.
[[nodiscard]] std::string verdict_text(const CompareResult& result);
/// The smallest change, as a share, that would show by now in each pair that is not resolved; NaN where one
/// has no interval yet.
[[nodiscard]] double least_visible_change(const CompareResult& result);

// A comparison in the forms that people and programs read (report/export.hpp lists them).

/// What was compared, whether it may be, the pairs, a summary for each workload, and the verdict. Unless
/// the options say `all`, those pairs of long comparisons are left out that are the same, or have no times.
/// The first line of Markdown is the verdict.
[[nodiscard]] std::string compare_text(const CompareResult& result, const TableOptions& options);

/// {schema: "benchctl.compare", …}: all pairs with the rows of both sides, or those alone that the verdict
/// stands on; core/report/schema/benchctl.schema.json describes it. Ends with a newline. Throws StoreError.
[[nodiscard]] std::string compare_json(const CompareResult& result, int exit_code,
                                       bool verdict_alone = false);

/// JUnit's XML: a test case for each pair. What fails is a failure; what cannot be told is skipped.
[[nodiscard]] std::string compare_junit(const CompareResult& result);

}  // namespace benchctl

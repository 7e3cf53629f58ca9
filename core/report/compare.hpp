// Two runs point by point: what is faster, slower, the same, and what cannot be said.
#pragma once

#include "config/gate.hpp"
#include "report/compare_side.hpp"
#include "report/point_names.hpp"
#include "report/text_table.hpp"
#include "stats/ratio.hpp"
#include "stats/runs.hpp"

#include <span>

namespace benchctl {

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
[[nodiscard]] LaneVerdict judge_lane(const Circumstances& first, const Circumstances& second,
                                     bool (*counts)(const Difference& difference));

/// A lane of base and the one of new that is taken for the same. The verdict's reasons are why it is not
/// plain `comparable`.
struct ComparedLane : LaneVerdict {
  std::string base;   ///< empty: base has none like it
  std::string fresh;  ///< empty: new has none like it
};

/// A metric beside the time that a rule of the policy asks about. What is made from the median time alone
/// (rates, time per access) has the intervals of the pair's ratio, turned round for rates; anything else
/// has one value in each run, and no interval.
struct ComparedMetric {
  std::string metric;
  double base = 0;
  double fresh = 0;
  double ratio = 0;  ///< new over base; NaN where base is 0
  double threshold = 0;
  PairOutcome outcome =
      PairOutcome::same;  ///< faster: better; slower: worse; missing: new has no such figure
  bool fails = false;
  bool single_value = true;        ///< compared as it is: there is no interval
  stats::Interval interval;        ///< 95 %, of this pair alone, as ComparedPair has them …
  stats::Interval joint_interval;  ///< … and the one that decides the outcome
};

struct ComparedPair {
  std::optional<std::size_t> base;  ///< into CompareSide::points
  std::optional<std::size_t> fresh;
  std::optional<std::size_t> lane;  ///< into CompareResult::lanes
  PairOutcome outcome = PairOutcome::untimed;
  bool fails = false;  ///< does the policy count the outcome as failure?
  std::string reason;  ///< where the outcome alone does not tell
  bool with_warnings = false;
  double threshold = 0;
  /// New time over base time; NaN where there is none. The interval is the 95 % one of this pair alone …
  double ratio = 0;
  stats::Interval interval;
  /// … and the one that decides the outcome, corrected for the number of pairs.
  stats::Interval joint_interval;
  /// Times whose ratio is `ratio`, in ns; only for sides in turns.
  std::optional<std::pair<double, double>> paired_ns;
  /// Standard deviation of a median from process to process, as a share of it; NaN: unknown.
  double process_spread = 0;
  /// Faster or slower, but not resolved: within the two processes, where nothing tells the spread between
  /// processes; of runs in turns slower, and no fresh pair of processes has confirmed it.
  std::optional<PairOutcome> doubted;
  std::vector<ComparedMetric> metrics;
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
  bool given = false;          ///< the caller has said it
};

struct CompareResult {
  const CompareSide* base = nullptr;
  const CompareSide* fresh = nullptr;
  double threshold = 0;
  std::size_t comparisons = 0;        ///< ratios that were judged together
  std::size_t corrected = 0;          ///< comparisons that the joint intervals are corrected for
  bool false_discovery_rate = false;  ///< GatePolicy::false_discovery_rate
  std::optional<Turns> turns;         ///< as in CompareOptions
  SpreadSource spread;
  std::vector<ComparedLane> lanes;
  /// What changed in the files of kernels, in words; none in turns, which compare them.
  std::vector<std::string> changed_files;
  std::vector<ComparedPair> pairs;      ///< in the order of base, then what only new has
  std::vector<RatioSummary> workloads;  ///< in the order of pairs
  RatioSummary all;
  PointWords words;  ///< knows the points that `point_of` gives
  GateVerdict verdict = GateVerdict::fine;
};

/// Pairs points whose PointKey agrees but for the device's place, and judges each. Devices are the same if
/// name and UUID agree, else if name and lane agree; failing that, any of the same name, then the same
/// lane. Both sides must live as long as the result. Throws StoreError where samples cannot be read.
[[nodiscard]] CompareResult compare_runs(const CompareSide& base, const CompareSide& fresh,
                                         const CompareOptions& options);

/// Lanes of two runs that are the same device, in the order of base, and those that only one has.
[[nodiscard]] std::vector<ComparedLane> match_lanes(const Circumstances& base, const Circumstances& fresh);

/// The pair's existing point; base's if both exist.
[[nodiscard]] const Result& point_of(const CompareResult& result, const ComparedPair& pair);

/// How many pairs have that outcome.
[[nodiscard]] std::size_t count_of(const CompareResult& result, PairOutcome outcome);
/// `3 slower, 12 same`.
[[nodiscard]] std::string counts_text(const RatioSummary& summary);
/// The outcome of a pair whose ratio was judged.
[[nodiscard]] PairOutcome outcome_of(stats::Verdict verdict);

/// What the joint intervals are corrected for: `table`, all pairs together (Bonferroni); `table_and_looks`,
/// the looks of `ab`, too; `false_discovery_rate`.
[[nodiscard]] std::string_view correction_of(const CompareResult& result);

/// A sentence: what the comparison comes to.
[[nodiscard]] std::string verdict_text(const CompareResult& result);

/// The spread between processes of each judged pair: from the processes of both runs where they have
/// replicates, else from the other complete runs in the sides' stores that have the name of new's run: the
/// same point on the same device with the same driver, whatever the build. At most 20 runs are read, and no
/// more than hold 100,000 points together; none where they are too few to tell a spread. Fills
/// `result.spread`. Throws StoreError.
[[nodiscard]] std::vector<stats::RunSpread> find_spreads(CompareResult& result,
                                                         std::span<ComparedPair* const> judged);

// Which differences count as failure.

/// The practical threshold for a point's time.
[[nodiscard]] double gate_threshold(const CompareOptions& options, const Point& point);

/// Fills `fails`, `metrics` and `verdict`. The verdict is the gravest failure: regressed, then failed, then
/// not comparable, then not resolved. Two runs without a point in common are not comparable whatever the
/// policy says. Throws StoreError where a rule asks for metrics that cannot be read.
void apply_gate(CompareResult& result, const CompareOptions& options);

// The sides of `ab`, which were measured in turns: judged process by process.

/// Judges pairs of points that both have times. A process counts with the ratio of its two medians; where
/// it measured both sides, with the median of the ratios of its common rounds. Throws StoreError.
void judge_in_turns(const CompareResult& result, std::span<ComparedPair* const> judged);

/// What the comparison comes to, in a sentence with the figures behind it. `failures`: what fails, in
/// words.
[[nodiscard]] std::string turns_text(const CompareResult& result, const std::string& failures);

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

/// One row for each pair. RFC 4180.
[[nodiscard]] std::string compare_csv(const CompareResult& result);

/// JUnit's XML: a test case for each pair. What fails is a failure; what cannot be told is skipped.
[[nodiscard]] std::string compare_junit(const CompareResult& result);

}  // namespace benchctl

// Everything that a report shows, from one or several runs of one or several stores, as plain values. Each
// format is written from this alone (samples, which are many, are read when a format wants them).
#pragma once

#include "model/keys.hpp"
#include "observe/environment.hpp"
#include "report/datasheet_share.hpp"
#include "report/published_series.hpp"
#include "store/rank.hpp"
#include "store/store.hpp"

#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// A run and the store that it is in. The store must live as long as the report.
struct ReportSource {
  const Store* store = nullptr;
  RunId run{};
};

struct ReportRun {
  ReportSource source;
  RunRow row;
  std::string store;  ///< its file's name; its path where another store of the report has that name
  std::string label;  ///< `run 3`; with `store` in front where there are several stores
  std::vector<EnvironmentEntry> environment;
  std::vector<EventRow> events;
  std::vector<Lane> lanes;
  std::vector<RoofRow> roofs;
  StatusCounts counts;

  [[nodiscard]] const std::string& title() const { return row.title.empty() ? row.name : row.title; }
};

/// A device as a backend drives it. Lanes of several runs are one platform if they have the same name and
/// their devices are one piece of hardware behind one driver (DeviceKey).
struct Platform {
  std::string label;  ///< the lane's name; with the device's where several platforms share a lane's name
  std::string lane;
  Lane device;                          ///< a default one for points that never had a device
  bool known = false;                   ///< is there a device?
  std::map<std::string, double> roofs;  ///< probe to units per second: the highest of its runs
  DatasheetDevice datasheet;            ///< as the first run that has it tells
};

/// Points that can be compared: the same problem, measured in the same way.
struct IdenticalProblem {
  RivalKey key;
  std::vector<std::size_t> rows = {};       ///< those with times
  std::vector<std::size_t> platforms = {};  ///< the platforms of `rows`, each once, ascending
  std::vector<std::size_t> failed = {};     ///< rows of the problem whose status is a failure
};

/// Where a row belongs.
struct RowPlace {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::size_t run = 0;
  std::size_t platform = 0;
  std::size_t comparison = none;  ///< none without times
  bool older = false;             ///< a newer run of the report has the same point, which stands for both
  Rank rank{};
  double datasheet_share = no_number;  ///< see datasheet_share()
};

/// How well one variant does on all platforms of a comparison; only of variants that each of them has.
/// Performance portability as Pennycook, Sewall and Lee define it ("Implications of a metric for
/// performance portability", Future Generation Computer Systems 92, 2019): the harmonic mean of the
/// efficiencies, 0 if it failed on one.
struct Portability {
  std::size_t comparison = 0;
  std::string variant;
  /// By platform of the comparison: the fastest time there over the variant's own; 0 if it failed there.
  std::vector<double> application;
  /// By platform: the variant's largest share of the measured roof; NaN where no roof is known.
  std::vector<double> architectural;
  double application_score = 0;
  double architectural_score = 0;  ///< NaN if a roof is not known
};

struct Report {
  std::vector<ReportRun> runs;
  std::vector<Platform> platforms;
  std::vector<Result> rows;      ///< run by run, by ordinal
  std::vector<RowPlace> places;  ///< a place for each row
  std::vector<IdenticalProblem> comparisons;
  /// What the runs of each title ask about the points of each workload: an axis, or empty (question_axis).
  std::map<std::pair<std::string, std::string>, std::string> questions;
  /// Pairs of runs, the older first: the newer one has a point of the other from something else (another
  /// content key).
  std::set<std::pair<std::size_t, std::size_t>> remade;
  std::vector<Portability> portability;  ///< for comparisons with at least two platforms
  std::vector<std::string> warnings;     ///< what a reader must know before comparing, in whole sentences
};

/// `workloads`: patterns of those to show; all where there is none. Throws StoreError, also where a store
/// has no such run.
[[nodiscard]] Report make_report(std::span<const ReportSource> sources,
                                 const std::vector<std::string>& workloads = {});

/// A run of a store. Throws StoreError if the store has no such run, or the record of its environment
/// cannot be read.
[[nodiscard]] RunRow existing_run(const Store& store, RunId run);
[[nodiscard]] Environment recorded_environment(const Store& store, const RunRow& run);

/// The report of one run.
[[nodiscard]] Report make_report(const Store& store, RunId run);

/// Fills in everything that follows from runs, rows and the runs of their places. `make_report` has done
/// so.
void arrange(Report& report);

/// Whole sentences, the gravest first: runs that are not complete, records that differ between runs, points
/// that did not settle, devices that share their hardware, platforms without roofs.
[[nodiscard]] std::vector<std::string> warnings_of(const Report& report);

/// Keys of the environment records whose values differ between runs, of the given class.
[[nodiscard]] std::vector<std::string> differing_keys(const Report& report, std::string_view entry_class);

/// A title for the whole: that of the only run, or the titles of all.
[[nodiscard]] std::string report_title(const Report& report);

/// The rows of one of its runs.
[[nodiscard]] std::span<const Result> rows_of_run(const Report& report, std::size_t run);

/// The label of each row's platform and the type of its device.
[[nodiscard]] std::vector<RowDevice> row_devices(const Report& report);
/// The published figures of all runs, each once.
[[nodiscard]] std::vector<Published> published_of(const Report& report);

/// Harmonic mean of efficiencies; 0 if one is 0, NaN if one is unknown or there is none.
[[nodiscard]] double portability_score(std::span<const double> efficiencies);

}  // namespace benchctl

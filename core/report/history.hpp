// One point over the runs of a store: its times, and what else changed between the runs.
#pragma once

#include "observe/comparability.hpp"
#include "report/text_table.hpp"
#include "stats/summary.hpp"
#include "store/store.hpp"

#include <string>
#include <vector>

namespace benchctl {

struct HistoryOptions {
  std::vector<std::string> workloads{};  ///< patterns; empty: all
  std::vector<std::string> labels{};     ///< patterns of labels (Point::label); empty: all
  std::size_t last = 0;                  ///< only the newest runs; 0: all
};

struct HistoryRun {
  RunRow row;
  Circumstances circumstances;
};

/// A point's time in one run.
struct HistoryPoint {
  std::size_t run = 0;  ///< into History::runs
  std::uint64_t ordinal = 0;
  double median_ns = 0;
  stats::Interval interval;
  std::uint64_t n_samples = 0;
  std::string content_key{};  ///< empty: not known
  /// What differs from the run before it in this series, where that may matter: a sentence each.
  std::vector<std::string> changes{};
  /// Do these forbid to compare the two? The line of the chart is then cut here.
  bool cut = false;
};

/// One point of a config: the same in all its runs but for the driver, the build, the card.
struct HistorySeries {
  Point point;                       ///< as in its newest run
  std::string device;                ///< the device's name
  std::vector<HistoryPoint> points;  ///< the oldest first, at least one
};

struct History {
  std::vector<HistoryRun> runs;       ///< the oldest first; those that have a time of some series
  std::vector<HistorySeries> series;  ///< in the order in which the newest run has them
};

/// From all runs of a store; times that a run took over from another count once, where they
/// were measured. Points are the same if their PointKey and the name of their device agree. Throws
/// StoreError.
[[nodiscard]] History make_history(const Store& store, const HistoryOptions& options);

// Its forms for people and programs.

/// A line for each series, then what else changed at which run.
[[nodiscard]] std::string history_text(const History& history, const TableOptions& options);

/// {schema: "benchctl.history", schema_version, …}; core/report/schema/benchctl.schema.json describes it.
/// Ends with a newline.
[[nodiscard]] std::string history_json(const History& history);

/// For PageOptions::history, of a page whose report has exactly the history's runs, the oldest first. The
/// series that changed most comes first.
[[nodiscard]] std::string history_page_data(const History& history);

}  // namespace benchctl

// One point over the runs of a store: its times, where their level changed, and where it drifts.
#pragma once

#include "observe/comparability.hpp"
#include "stats/paired.hpp"
#include "stats/summary.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace benchctl {

struct HistoryOptions {
  std::vector<std::string> workloads{};  ///< patterns; empty: all
  std::vector<std::string> labels{};     ///< patterns of labels (Point::label); empty: all
  std::size_t last = 0;                  ///< only the newest runs; 0: all
  double threshold = 0.01;               ///< changes of up to this share of the time do not matter
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
  /// What differs from the run before it in this series, where that may matter: a sentence each.
  std::vector<std::string> changes{};
  /// Do these forbid to compare the two? The series is then cut here: nothing is said across.
  bool cut = false;
};

struct HistoryStep {
  std::size_t at = 0;        ///< into HistorySeries::points: the first of the new level
  double ratio = 0;          ///< new level over old
  stats::Interval interval;  ///< 95 %
  double p_value = 1;        ///< see stats::Step
};

/// A slow change over a stretch of comparable runs.
struct HistoryDrift {
  std::size_t from = 0;      ///< into HistorySeries::points: the first of the stretch
  std::size_t to = 0;        ///< the last
  double ratio = 0;          ///< last over first, on the line
  stats::Interval interval;  ///< 95 %
  double p_value = 1;        ///< see stats::Trend
};

/// One point of a config: the same in all its runs but for the driver, the build, the card.
struct HistorySeries {
  Point point;                       ///< as in its newest run
  std::string device;                ///< the device's name
  std::vector<HistoryPoint> points;  ///< the oldest first, at least one
  std::vector<HistoryStep> steps;
  std::vector<HistoryDrift> drifts;
  std::vector<std::size_t> disturbed;  ///< into `points`: far from their level, and no step
  stats::RatioEstimate change;         ///< newest over first
};

struct History {
  std::vector<HistoryRun> runs;       ///< the oldest first; those that have a time of some series
  std::vector<HistorySeries> series;  ///< in the order in which the newest run has them
  double threshold = 0;
  std::size_t tested = 0;  ///< series that were searched for changes: with six comparable runs or more
};

/// From all runs of a store but replays; times that a run took over from another count once, where they
/// were measured. Points are the same if they agree in what `compare_runs` pairs by, and their lanes in
/// name and device. If runs do not depend on each other, at most 5 % of histories hold a false step, and as
/// many a false drift (stats/steps.hpp). Throws StoreError.
[[nodiscard]] History make_history(const Store& store, const HistoryOptions& options);

/// Ids of its runs, the oldest first: what the page shows beside it.
[[nodiscard]] std::vector<RunId> runs_of(const History& history);

}  // namespace benchctl

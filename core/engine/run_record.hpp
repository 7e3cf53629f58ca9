// The points of one run and what the store holds of them: a run is created or resumed, points are added or
// taken from older runs. Measures nothing.
#pragma once

#include "config/config.hpp"
#include "engine/content_key.hpp"
#include "engine/coordinator.hpp"
#include "engine/run_context.hpp"
#include "observe/environment.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

namespace benchctl {

/// Does one of these patterns of the command line match the point's label, or is there none?
[[nodiscard]] bool passes(const Point& point, const std::vector<std::string>& filters);

/// What a run is resumed by: its config and what of the command line decides which points there are.
[[nodiscard]] std::string config_hash(const Config& config, const std::string& identity);

/// Stores a new run with what its config says of it; `run` holds the rest. Throws StoreError.
[[nodiscard]] RunId create_run(Store& store, const Config& config, NewRun run);

/// Whether an interrupted run can be resumed is not known, since devices could not be listed.
class LanesUnknown : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RunRecord {
 public:
  /// Opens the store, and asks a worker of `factory` what belongs to the record of the environment. All but
  /// these two must outlive the record. Throws StoreError, as all of it does.
  RunRecord(const Config& config, const LaneTable& lanes, const Catalogue& catalogue,
            const PluginTable& plugins, ChannelFactory& factory, const RunOptions& options,
            Progress& progress);

  /// Takes the config's points, as an interrupted run left them or as a new run. `searched`: searches will
  /// add points behind them. Throws LanesUnknown.
  void begin(std::vector<Point> points, bool searched);
  /// Takes points of a search into the run: as what an interrupted session left of them, or as new ones.
  /// Their places in `points()`.
  [[nodiscard]] std::vector<std::size_t> propose(std::vector<Point> points);
  /// A pair is nothing without its baseline: where an earlier session finished a part of a paired group,
  /// all of it is sampled on. Covers the points from `first` on.
  void reopen_broken_pairs(std::size_t first);
  /// Points that the budget of an earlier session ended are to have the rest of their time.
  void reopen_cut_short();
  /// Settles points that did not get the replicate that was asked for, with the results that they had.
  void withdraw_replicate();

  /// Do the filters of the command line let it pass?
  [[nodiscard]] bool wanted(const Point& point) const;

  [[nodiscard]] Store& store() { return store_; }
  [[nodiscard]] RunId run() const { return run_; }
  /// Seed of inputs and of the order of points: the config's, or the one that the run drew when it began.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// How often the run was resumed.
  [[nodiscard]] std::uint32_t session() const { return session_; }
  [[nodiscard]] std::vector<RunPoint>& points() { return points_; }
  [[nodiscard]] const std::vector<RunPoint>& points() const { return points_; }

 private:
  [[nodiscard]] RunPoint entry_of(Point point);
  bool resume();
  /// Takes over an open-ended run and opens its points for another replicate. Throws StoreError.
  void reopen(RunId run);
  /// A finished point that has a time is sampled on.
  void reopen(RunPoint& entry);
  void create();
  /// Stores those from `first` on.
  void add_points(std::size_t first = 0);
  /// Takes what it can of the points from `first` on from older runs (without --reuse: from the one that
  /// could not be resumed); how many that were.
  std::size_t reuse(std::size_t first);
  void reuse_own();
  /// Takes out points that earlier runs of the same command finished, be it on another device of the same
  /// kind: what a scheduler's next node is left to do.
  void leave_out_finished();

  const Config& config_;
  const LaneTable& lane_table_;
  const Catalogue& catalogue_;
  const PluginTable& plugins_;
  const RunOptions& options_;
  Progress& progress_;
  Store store_;
  Environment environment_;
  ContentKeys keys_;
  std::vector<RunPoint> points_;
  RunId run_{};
  std::uint64_t seed_ = 1;
  std::uint32_t session_ = 0;
  bool searched_ = false;
  std::optional<RunId> replaced_;  ///< an interrupted run that cannot be resumed
  /// Rows that an interrupted session stored, those of searches behind the others.
  std::vector<PointRow> earlier_;
  std::map<PointId, double> known_;  ///< their medians
  std::uint64_t next_ordinal_ = 0;
};

}  // namespace benchctl

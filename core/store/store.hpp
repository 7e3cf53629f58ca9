// The store: one SQLite file with every run, point and sample. What a call has written when it returns
// survives the death of the process at any later moment, kill -9 included.
//
// One Store belongs to one thread; several processes may have the same file open. Every method throws
// StoreError, which names the file and says what to do.
#pragma once

#include "store/result.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Store {
 public:
  enum class Access : std::uint8_t {
    read_write,  ///< creates the file if it is missing
    read_only,   ///< a missing file is an error
  };

  /// A file that is not a benchctl store, or one of a newer benchctl, is refused and not changed.
  [[nodiscard]] static Store open(const std::filesystem::path& file, Access access = Access::read_write);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  [[nodiscard]] const std::filesystem::path& path() const noexcept;

  // --- runs ---

  /// A running run that this process owns.
  RunId create_run(const NewRun& run);
  /// The newest run of that config that is interrupted, or still called running by an owner that is dead,
  /// unless a newer one is complete. Never one that was merged from another store.
  [[nodiscard]] std::optional<RunRow> find_resumable(std::string_view config_hash) const;
  /// Makes this process the owner of a resumable run. False if it is not resumable (any more): it is
  /// complete, or another process was quicker.
  [[nodiscard]] bool take_over(RunId run);
  /// Ends a run as complete or interrupted.
  void finish_run(RunId run, RunState state);
  [[nodiscard]] std::optional<RunRow> run(RunId run) const;
  /// Newest first: a run made here is newer than those that were here, a merged one as old as it is.
  [[nodiscard]] std::vector<RunRow> runs() const;
  [[nodiscard]] std::optional<RunRow> newest_run() const;
  [[nodiscard]] std::optional<RunRow> newest_complete_run() const;
  /// The run that a user names: its number, or the name of a baseline.
  [[nodiscard]] std::optional<RunId> find_named(std::string_view name) const;
  [[nodiscard]] std::vector<Lane> lanes(RunId run) const;
  /// Keeps files with a run; of equal names the last counts.
  void add_files(RunId run, std::span<const RunFile> files);
  /// By name.
  [[nodiscard]] std::vector<RunFile> files(RunId run) const;
  /// Deletes runs with everything that belongs to them, all or none. StoreError for one that is being
  /// measured, that a baseline names, or whose roofs a run uses that stays or stands behind it in the list.
  void delete_runs(std::span<const RunId> runs);
  /// Drops the samples of complete runs, all or none, and makes the file smaller. Statistics,
  /// verifications, metrics and notes stay; each point gets pruned_note. StoreError for a run that is not
  /// complete: it could not be resumed.
  void prune_samples(std::span<const RunId> runs);
  /// Writes a copy, also while a run is being measured: what is committed by then. StoreError if `copy` is
  /// there already or cannot be written.
  void back_up(const std::filesystem::path& copy) const;
  /// Removes a store that nobody has open, if it is there.
  static void remove(const std::filesystem::path& file);
  void add_event(RunId run, std::string_view text);
  [[nodiscard]] std::vector<EventRow> events(RunId run) const;

  // --- baselines and merging ---

  /// Gives a run a name, taking it from the run that had it. std::logic_error unless is_baseline_name.
  void set_baseline(std::string_view name, RunId run);
  /// False if there is no such name.
  bool remove_baseline(std::string_view name);
  /// By name.
  [[nodiscard]] std::vector<BaselineRow> baselines() const;

  /// Adds all runs of another store with everything that belongs to them, all or none. A run that is here
  /// with the same contents is not added again; one that is the same run with other contents is added, and
  /// marked. Baselines come along. Refuses a store with a run that is still being measured.
  MergeOutcome merge(const Store& from);
  /// The runs here that came from other stores, by number.
  [[nodiscard]] std::vector<MergedRun> merged_runs() const;

  // --- points ---

  /// Adds points of a run, all or none; `id`, `run`, `finished` and `reused_from` of the rows are ignored.
  /// A point whose status is not StatusClass::open is settled at once. Returns the new keys in the same
  /// order.
  std::vector<PointId> add_points(RunId run, std::span<const PointRow> points);
  /// Gives points (`id`) of another run to this one, all or none, with their samples and results, under the
  /// ordinals and variants of the rows, but without their comparisons, which are with points of that run.
  void move_points(RunId run, std::span<const PointRow> points);
  /// By ordinal.
  [[nodiscard]] std::vector<PointRow> points(RunId run) const;
  [[nodiscard]] std::size_t point_count(RunId run) const;
  [[nodiscard]] StatusCounts status_counts(RunId run) const;
  /// The newest finished `ok` point with a measurement and that content key, in any run.
  [[nodiscard]] std::optional<PointId> find_measured(std::string_view content_key) const;

  // --- samples ---

  /// Adds the samples of one point, session, round and replicate; there can be only one block of these.
  /// Refused for a point that is settled.
  void append_samples(PointId point, std::uint32_t session, std::uint32_t round, const SampleBlock& block,
                      std::uint32_t replicate = 0);
  /// The highest round of any sample of the run; 0 without samples. Rounds are numbered through the run.
  [[nodiscard]] std::uint32_t last_round(RunId run) const;
  /// Takes the samples of a round out of use without deleting them.
  void mark_unused(PointId point, std::uint32_t round, std::uint32_t replicate = 0);
  /// In the order in which they were added. StoreError, with what it was needed for, if they were pruned.
  [[nodiscard]] std::vector<SampleRow> samples(PointId point) const;

  // --- results ---

  /// Writes everything about a point at once. It is settled then, unless the status is
  /// StatusClass::open: such a point is measured by the next session and its result replaced. A settled
  /// point is refused: it would have been measured twice.
  void finish_point(PointId point, const Result& result);
  /// Settles `to` with the status, samples, measurement, verifications, resources and notes of a
  /// finished point. Refused if `to` is settled or has samples of its own.
  void copy_point(PointId from, PointId to);
  /// Opens a settled point for more samples. Its result stays what it was until finish_point replaces it.
  void reopen(PointId point);
  /// Settles a reopened point with the result that it had.
  void settle(PointId point);
  /// Writes how points compare with others, all or none; replaces what was there.
  void set_comparisons(const std::map<PointId, std::vector<Comparison>>& comparisons);
  /// Adds notes to a settled point, replacing those of the same key.
  void add_note(PointId point, std::string_view key, std::string_view text);
  /// The roofs that a run used; replaces those that it had.
  void set_roofs(RunId run, std::span<const RoofRow> roofs);
  /// By lane and probe.
  [[nodiscard]] std::vector<RoofRow> roofs(RunId run) const;
  /// All `ok` and `unstable` points of a workload with a measurement, in any run, newest run first.
  [[nodiscard]] std::vector<MeasuredPoint> measured(std::string_view workload) const;
  /// A point with its result, as far as it has one.
  [[nodiscard]] Result result(PointId point) const;
  /// All points of a run with their results, by ordinal.
  [[nodiscard]] std::vector<Result> results(RunId run) const;
  /// The same one by one, for whoever keeps less of them. `take` must not write to this store; what it
  /// throws passes.
  void each_result(RunId run, const std::function<void(Result&&)>& take) const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace benchctl

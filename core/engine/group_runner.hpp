// Measures one group: all points of one problem, on all their lanes, interleaved in rounds.
#pragma once

#include "engine/compile_pool.hpp"
#include "engine/judge.hpp"
#include "engine/lane_worker.hpp"
#include "engine/pairing.hpp"
#include "engine/progress.hpp"
#include "engine/reference_keep.hpp"
#include "engine/replicates.hpp"
#include "engine/sampling.hpp"
#include "store/store.hpp"
#include "sweep/group.hpp"

#include <functional>
#include <list>

namespace benchctl {

/// A point on its way through a run.
struct RunPoint {
  Point point;
  PointId id{};  ///< in the store
  std::string content_key;
  bool finished = false;
  double spent_seconds = 0;              ///< on sampling it in this session
  std::optional<double> median_ns = {};  ///< once it is measured
};

/// What all groups of a run share.
struct RunContext {
  Store& store;
  std::vector<RunPoint>& points;
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>>& lanes;  ///< by Lane::name()
  const Catalogue& catalogue;
  CompilePool* compile_pool = nullptr;  ///< null: compilation is part of `prepare`
  Channel& reference_worker;
  Judges& judges;
  ReferenceKeep* kept_references = nullptr;  ///< null: references go with their groups
  std::filesystem::path folder;              ///< for files of this run, reference values among them
  Progress& progress;
  CompareSettings compare;
  bool refining = false;         ///< points that have a result get more samples
  std::uint64_t order_seed = 1;  ///< of the order of points in a round
  std::uint32_t session = 0;     ///< how often this run was resumed
  double timeout_seconds = 120;
  bool device_debug = false;
  /// Seconds that a point may take under the run's budget; infinity without.
  std::function<double()> budget;
  /// Should no new work be begun?
  std::function<bool()> interrupted;
};

class GroupRunner {
 public:
  GroupRunner(RunContext& context, const Group& group);
  GroupRunner(const GroupRunner&) = delete;
  GroupRunner& operator=(const GroupRunner&) = delete;
  ~GroupRunner();

  /// Every point of the group has its final status in the store afterwards, unless the run was
  /// interrupted: then what was sampled is there and the rest is open. Throws StoreError only.
  void run();

 private:
  struct Active;
  struct LaneGroup;

  void resume_samples();
  void choose_pairs();
  /// Paired: points of a lane whose executions last about as long get equally many in a sample.
  void share_batches();
  /// Everything from opened devices to the last round, in worker processes that know nothing of the points.
  void run_replicate();
  bool make_reference();
  void compute_reference(const Point& point);
  void compile();
  void bring_up(LaneGroup& lane);
  bool prepare(Active& active);
  void verify_and_warm_up(Active& active);
  void sample_rounds();
  void sample_once(Active& active, std::int64_t round);
  /// Paired: are all ratios known well enough, or can no more rounds be had?
  [[nodiscard]] bool enough_rounds(std::int64_t round);
  void conclude(Active& active);
  /// Why a point's target was not reached, with figures; empty if it was.
  [[nodiscard]] std::string shortfall_of(const Active& active) const;
  void compare();
  [[nodiscard]] Pair pair_of(const Active& active) const;
  void observe(Active& active);
  /// Runs one verb for a point. On failure gives the point its status and returns nothing.
  template <class Action>
  bool attempt(Active& active, const std::string& what, Action action);
  void finish(Active& active, Status status, const std::string& reason);
  void finish_all(LaneGroup& lane, Status status, const std::string& reason);
  [[nodiscard]] std::vector<Active*> open_points();

  RunContext& context_;
  const Group& group_;
  std::uint64_t seed_ = 1;
  std::uint64_t problem_id_;
  std::filesystem::path reference_file_;
  std::list<LaneGroup> lanes_;
  std::list<Active> active_;
  bool paired_ = false;
  std::uint32_t replicates_ = 1;  ///< that the most demanding point wants
  std::uint32_t replicate_ = 0;   ///< the current one
  std::int64_t first_round_ = 0;
  StopReason stop_reason_ = StopReason::target;  ///< paired: of all that are still in the rounds
  std::int64_t next_look_ = 0;                   ///< round after which the ratios are looked at again
};

}  // namespace benchctl

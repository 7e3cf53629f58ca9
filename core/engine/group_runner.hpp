// Measures one group: all points of one problem, on all their lanes, interleaved in rounds.
#pragma once

#include "engine/compile_pool.hpp"
#include "engine/lane_worker.hpp"
#include "engine/progress.hpp"
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
};

/// What all groups of a run share.
struct RunContext {
  Store& store;
  std::vector<RunPoint>& points;
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>>& lanes;  ///< by Lane::name()
  const Catalogue& catalogue;
  CompilePool* compile_pool = nullptr;  ///< null: compilation is part of `prepare`
  Channel& reference_worker;
  std::filesystem::path folder;  ///< for files of this run, reference values among them
  Progress& progress;
  std::uint64_t order_seed = 1;  ///< of the order of points in a round
  std::uint32_t session = 0;     ///< how often this run was resumed
  double timeout_seconds = 120;
  bool device_debug = false;
  /// Seconds that each point of a group of that many may take under the run's budget; infinity without.
  std::function<double(std::size_t)> budget;
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
  bool make_reference();
  void compile();
  void bring_up(LaneGroup& lane);
  bool prepare(Active& active);
  void verify_and_warm_up(Active& active);
  void sample_rounds();
  void sample_once(Active& active, std::int64_t round);
  void conclude(Active& active);
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
  std::int64_t first_round_ = 0;
};

}  // namespace benchctl

// What the groups of a run share, and the points on their way through it.
#pragma once

#include "engine/audit.hpp"
#include "engine/compile_pool.hpp"
#include "engine/judge.hpp"
#include "engine/lane_worker.hpp"
#include "engine/progress.hpp"
#include "engine/reference_cache.hpp"
#include "engine/reference_worker.hpp"
#include "predict/bound.hpp"
#include "store/store.hpp"

#include <functional>
#include <set>

namespace benchctl {

/// A point on its way through a run.
struct RunPoint {
  Point point;
  PointId id{};  ///< in the store
  std::string content_key;
  bool finished = false;
  double spent_seconds = 0;              ///< on warming it up and sampling it in this session
  double allowance = 0;                  ///< refining: seconds of the budget that it may take more
  std::optional<double> median_ns = {};  ///< once it is measured
  std::optional<StopReason> stop = {};   ///< what ended its sampling, once it is measured
  double excess = 0;                     ///< half the width of its interval over the target, then
  double overhead_seconds = 0;           ///< of its group's latest turn: all but samples and compiling
  std::optional<AuditJudge> audit = {};  ///< what this session's audits of it have seen
};

/// What all groups of a run share.
struct RunContext {
  Store& store;
  std::vector<RunPoint>& points;
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>>& lanes;  ///< by Lane::name()
  const Catalogue& catalogue;
  CompilePool* compile_pool = nullptr;  ///< null: compilation is part of `prepare`
  ReferenceWorker& reference_worker;
  Judges& judges;
  ReferenceCache& references;
  std::set<std::string> drawn_references = {};  ///< keys of those that no other run can use
  std::filesystem::path folder;                 ///< for files of this run, reference values among them
  Progress& progress;
  CompareSettings compare;
  std::map<std::string, predict::Roofs, std::less<>> roofs =
      {};                     ///< that are measured by now, by Lane::name()
  bool refining = false;      ///< points that have a result get more samples
  bool replicating = false;   ///< points that have a result get one replicate more
  bool in_turns = false;      ///< replicates are added one by one: all of them cover a span, none alone
  std::uint64_t seed = 1;     ///< of inputs that the config fixes no seed for, and of orders
  std::uint32_t session = 0;  ///< how often this run was resumed
  double timeout_seconds = 120;
  bool device_debug = false;
  /// Seconds since some fixed moment; all time that is spent is read from it.
  std::function<double()> clock;
  /// Seconds that a point that has no result yet may take under the run's budget; infinity without.
  std::function<double()> budget;
  /// Is the run's budget used? `interrupted` heeds it only once the session has brought a result.
  std::function<bool()> out_of_budget;
  /// Should no new work be begun?
  std::function<bool()> interrupted;
  /// While several devices are measured at once; null otherwise.
  Baton* baton = nullptr;
  /// What points get as their note `parallel` then.
  std::string beside = {};
  std::uint64_t last_id = 0;

  /// What is computed from here to the next question to a worker disturbs no measurement.
  void quiet() const {
    if (baton != nullptr) baton->quiet();
  }
  /// Identifies problems and prepared variants within their workers.
  std::uint64_t next_id() { return ++last_id; }
};

}  // namespace benchctl

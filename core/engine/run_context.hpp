// What the groups of a run share, and the points on their way through it.
#pragma once

#include "engine/audit.hpp"
#include "engine/compile_pool.hpp"
#include "engine/data_programs.hpp"
#include "engine/file_cache.hpp"
#include "engine/progress.hpp"
#include "engine/references.hpp"
#include "predict/bound.hpp"
#include "store/store.hpp"
#include "worker/lane_worker.hpp"

#include <functional>
#include <set>

namespace benchctl {

class RunComparisons;

/// A point on its way through a run.
struct RunPoint {
  Point point;
  PointId id{};  ///< in the store
  std::uint64_t ordinal = 0;
  std::string content_key;
  bool finished = false;
  bool put_off = false;                  ///< to another session: the budget has no time for it
  double spent_seconds = 0;              ///< on warming it up and sampling it in this session
  std::optional<double> median_ns = {};  ///< once it is measured
  std::optional<StopReason> stop = {};   ///< what ended its sampling, once it is measured
  bool contested = false;                ///< then: it, or a rival of it, may be the fastest
  double excess = 0;                     ///< then: half the width of its interval over the target
  double round_seconds = 0;              ///< then: how long its next samples take
  double overhead_seconds = 0;           ///< its group's latest turn without samples and compiling
  std::optional<Auditor> audit = {};     ///< what this session's audits of it have seen
};

/// What all groups of a run share.
struct RunContext {
  Store& store;
  std::vector<RunPoint>& points;
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>>& lanes;  ///< by Lane::name()
  const Catalogue& catalogue;
  const Workloads& workloads;
  CompilePool* compile_pool = nullptr;  ///< null: compilation is part of `prepare`
  ReferenceWorker& reference_worker;
  TrustedKernels& trusted_kernels;
  FileCache& references;
  DataPrograms& data_programs;
  std::set<std::string> drawn_references = {};  ///< keys of those that no other run can use
  std::set<std::string> compiled = {};          ///< what was made ready once: it takes no compiler again
  std::filesystem::path folder;                 ///< for files of this run, reference values among them
  Progress& progress;
  CompareSettings compare;
  std::map<std::string, predict::Roofs, std::less<>> roofs =
      {};                     ///< roofs measured so far, by Lane::name()
  bool refining = false;      ///< points that have a result get more samples
  double turn_seconds = 0;    ///< refining: limit of the turn beside its overhead
  bool replicating = false;   ///< points that have a result get one replicate more
  bool in_turns = false;      ///< replicates are added one by one: all of them cover a span, none alone
  std::uint64_t seed = 1;     ///< seed of orders, and of inputs if the config fixes none
  std::uint32_t session = 0;  ///< how often this run was resumed
  double timeout_seconds = 120;
  bool device_debug = false;
  /// Seconds since some fixed moment; all time that is spent is read from it.
  std::function<double()> clock;
  /// Seconds that a point that has no result yet may take under the run's budget; infinity without.
  std::function<double()> budget;
  /// Seconds after which no compiler is started, and those until it must have answered, if other points
  /// have times; infinity without a budget.
  std::function<double()> compiling_left = [] { return infinite_seconds; };
  std::function<double()> compilers_left = [] { return infinite_seconds; };
  /// Is the run's budget used? `interrupted` heeds it only once the session has brought a result.
  std::function<bool()> out_of_budget;
  /// Should no new work be begun?
  std::function<bool()> interrupted;
  RunComparisons* comparisons = nullptr;
  const Point* upcoming = nullptr;  ///< a point of the next group, where that is known
  std::uint64_t last_id = 0;
  std::uint32_t last_round = 0;  ///< in the store: rounds are numbered through the run

  /// Identifies problems and prepared variants within their workers.
  std::uint64_t next_id() { return ++last_id; }
  /// Rounds of one number were taken in turns.
  std::uint32_t next_round() { return ++last_round; }
};

}  // namespace benchctl

// What the groups of a run share.
#pragma once

#include "engine/budget.hpp"
#include "engine/compile_pool.hpp"
#include "engine/contest.hpp"
#include "engine/data_programs.hpp"
#include "engine/file_cache.hpp"
#include "engine/prediction.hpp"
#include "engine/progress.hpp"
#include "engine/references.hpp"
#include "worker/lane_worker.hpp"

#include <set>

namespace benchctl {

struct RunContext {
  Store& store;
  RunId id;
  std::vector<RunPoint>& points;
  Budget& budget;
  Progress& progress;
  RunComparisons& comparisons;
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>>& lanes;  ///< by Lane::name()
  const Catalogue& catalogue;
  const Workloads& workloads;
  CompilePool* compile_pool = nullptr;  ///< null: compilation is part of `prepare`
  ReferenceWorker& reference_worker;
  TrustedKernels& trusted_kernels;
  FileCache& references;
  DataPrograms& data_programs;
  RunRoofs& roofs;
  std::filesystem::path folder;  ///< for files of this run, reference values among them
  std::uint64_t seed = 1;        ///< seed of orders, and of inputs if the config fixes none
  std::uint32_t session = 0;     ///< how often this run was resumed
  double timeout_seconds = 120;
  bool device_debug = false;
  std::uint32_t last_round = 0;  ///< in the store: rounds are numbered through the run
  std::uint64_t last_id = 0;
  std::set<std::string> drawn_references = {};  ///< keys of those that no other run can use
  std::set<std::string> compiled = {};          ///< what was made ready once: it takes no compiler again

  /// Identifies problems and prepared variants within their workers.
  std::uint64_t next_id() { return ++last_id; }
  /// Rounds of one number were taken in turns.
  std::uint32_t next_round() { return ++last_round; }
};

/// What a group is measured for this time.
struct Turn {
  enum class Purpose : std::uint8_t {
    cover,      ///< each point gets a time, by its share of the budget
    refine,     ///< points that have a time get more samples, from the processes that they had
    replicate,  ///< points that have a time get it from one process more
  };
  Purpose purpose = Purpose::cover;
  const CompareSettings& compare;
  double seconds = 0;               ///< refine: limit of the turn beside its overhead
  bool spans = true;                ///< false: turns together cover the span of points, none alone
  const Point* upcoming = nullptr;  ///< a point of the next group, where that is known

  [[nodiscard]] bool refines() const { return purpose == Purpose::refine; }
  /// How many processes give it a time in this turn.
  [[nodiscard]] std::uint32_t processes(const MeasureSettings& settings) const {
    return purpose == Purpose::cover ? std::max(1U, settings.replicates) : 1;
  }
};

}  // namespace benchctl

// What the groups of a run share.
#pragma once

#include <benchctl/disk_cache.hpp>

#include "engine/budget.hpp"
#include "engine/compile_pool.hpp"
#include "engine/contest.hpp"
#include "engine/coordinator.hpp"
#include "engine/data_programs.hpp"
#include "engine/prediction.hpp"
#include "engine/progress.hpp"
#include "engine/references.hpp"
#include "worker/lane_worker.hpp"

#include <set>

namespace benchctl {

/// Where references come from, and where they are kept.
struct References {
  ReferenceWorker& worker;
  TrustedKernels& trusted_kernels;
  DataPrograms& data_programs;
  const DiskCache& files;
  std::set<std::string> drawn = {};  ///< keys of those that no other run can use
};

struct RunContext {
  const RunOptions& options;
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
  References references;
  RunRoofs& roofs;
  std::uint64_t seed = 1;        ///< seed of orders, and of inputs if the config fixes none
  std::uint32_t session = 0;     ///< how often this run was resumed
  std::uint32_t last_round = 0;  ///< in the store: rounds are numbered through the run
  std::uint64_t last_id = 0;
  std::set<std::string> compiled = {};  ///< what was made ready once: it takes no compiler again

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
  const Point* upcoming = nullptr;  ///< a point of the next group, where that is known

  [[nodiscard]] bool refines() const { return purpose == Purpose::refine; }
  /// How many processes give it a time in this turn.
  [[nodiscard]] std::uint32_t processes(const MeasureSettings& settings) const {
    return purpose == Purpose::cover ? std::max(1U, settings.replicates) : 1;
  }
};

}  // namespace benchctl

// Sweeps of which a strategy chooses the points: per problem, way of measuring and lane a space of variants
// and tunables, however large, of which a point is made when it is proposed.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"
#include "sweep/strategy.hpp"

#include <memory>
#include <string>
#include <vector>

namespace benchctl {

/// The settings that a sweep is searched with: its own or the config's.
[[nodiscard]] const SearchSettings& search_settings(const Config& config, std::size_t sweep);
/// Does a strategy choose the sweep's points? Not with `all`.
[[nodiscard]] bool is_searched(const Config& config, std::size_t sweep);

/// One search: the best point of one problem on one lane.
class SearchTask {
 public:
  SearchTask() = default;
  SearchTask(const SearchTask&) = delete;
  SearchTask& operator=(const SearchTask&) = delete;
  virtual ~SearchTask() = default;

  [[nodiscard]] virtual const SearchSpace& space() const = 0;
  /// The point at some coordinates, checked: Status::skipped with the reason, or Status::not_run.
  [[nodiscard]] virtual Point point(const Coordinates& coordinates) = 0;
  /// Its first point: all have the problem in common.
  [[nodiscard]] Point example() {
    return point({0, std::vector<std::uint32_t>(space().arms.front().size(), 0)});
  }
  /// What it searches, for messages: `sweep 'tuning' on gpu:0, n=512`.
  [[nodiscard]] virtual const std::string& label() const = 0;
  [[nodiscard]] virtual const SearchSettings& settings() const = 0;
  /// Seed of the strategy: that of the settings, another one for each task.
  [[nodiscard]] virtual std::uint64_t seed() const = 0;
  /// Points to try at most.
  [[nodiscard]] virtual std::uint64_t max_points() const = 0;
};

struct Searches {
  std::vector<std::unique_ptr<SearchTask>> tasks;
  std::vector<Diagnostic> warnings;
};

/// All tasks of a config that has passed `validate`, in the order of sweeps, problems and lanes. Config,
/// catalogue and lanes must outlive them. Throws ConfigErrors when there are too many problems.
[[nodiscard]] Searches make_searches(const Config& config, const Catalogue& catalogue,
                                     const LaneTable& lanes);

}  // namespace benchctl

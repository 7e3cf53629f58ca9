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
/// Reports an unknown strategy, and an objective without a better direction.
void check_search(const SearchSettings& search, Reporter& reporter);
/// Does a strategy choose the sweep's points? Not with `all`.
[[nodiscard]] bool is_searched(const Config& config, std::size_t sweep);

/// One search: the best point of one problem on one lane.
class SearchTask {
 public:
  struct Sweep;  ///< what all tasks of a sweep share
  struct Arm;

  /// `label`: what it searches, for messages: `sweep 'tuning' on gpu:0, n=512`. `seed`: of the strategy.
  SearchTask(std::shared_ptr<Sweep> sweep, const SearchSettings& settings, std::string label,
             std::uint64_t seed);
  SearchTask(const SearchTask&) = delete;
  SearchTask& operator=(const SearchTask&) = delete;
  ~SearchTask();

  void add(Arm arm);
  /// Names the points to try first: the defaults of each arm, then what tuning tables have for the problem.
  void name_first();

  [[nodiscard]] const SearchSpace& space() const { return space_; }
  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const SearchSettings& settings() const { return settings_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// Points to try at most.
  [[nodiscard]] std::uint64_t max_points() const;
  /// The point at some coordinates, checked: Status::skipped with the reason, or Status::not_run.
  [[nodiscard]] Point point(const Coordinates& coordinates);
  /// Its first point: all have the problem in common.
  [[nodiscard]] Point example() {
    return point({0, std::vector<std::uint32_t>(space_.arms.front().size(), 0)});
  }

 private:
  void name(const Configuration& one);

  std::shared_ptr<Sweep> sweep_;
  const SearchSettings& settings_;
  std::string label_;
  std::uint64_t seed_;
  std::vector<Arm> arms_;
  SearchSpace space_;
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

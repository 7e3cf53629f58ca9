// Who may still be the fastest while rounds are taken, and who is once they are stored. Each point has
// rivals: the points that the question asks about, if it is one of them; else those that are not vendor
// libraries, if it is none; else all of its device. Who is shown slower than the fastest of its rivals
// leaves the rounds.
#pragma once

#include "engine/run_point.hpp"
#include "model/keys.hpp"
#include "stats/race.hpp"
#include "sweep/catalogue.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// A point of a group as far as contests go.
struct Contestant {
  stats::RoundValues rounds;  ///< values in this process; empty: it takes no part
  std::size_t table = 0;      ///< those of one number compete: same device, measured in the same way
  bool vendor = false;
  bool asked = false;
  bool open = true;        ///< will there be more rounds of it?
  bool may_leave = false;  ///< has it the samples that it must have?
  std::size_t fewest_rounds =
      3;  ///< common ones without which it does not leave; none if executions are long
};

enum class Prospect : std::uint8_t {
  settled,    ///< nothing is open: it is the fastest, or as fast within the threshold, or has no rival
  contested,  ///< it, or one of its rivals, may be the fastest
  slower,     ///< shown slower: it may leave
};

/// What common rounds say of each by now, at stats::confidence_of_leaving. In the order given.
[[nodiscard]] std::vector<Prospect> prospects(std::span<const Contestant> contestants, double threshold);

/// The number of rounds at which one looks again, after a look at `rounds`: 3, 4, 6, 9, 14, then half as
/// many more each time.
[[nodiscard]] std::int64_t next_look(std::int64_t rounds);

/// Who is the fastest of each device, problem by problem: computed from the rounds of a run and stored with
/// its points. Reports only read it (store/rank.hpp).
class RunComparisons {
 public:
  /// `question`: that of the config.
  RunComparisons(Store& store, std::vector<RunPoint>& points, const Catalogue& catalogue,
                 std::string question, double threshold)
      : store_(store),
        points_(points),
        catalogue_(catalogue),
        question_(std::move(question)),
        threshold_(threshold) {}

  /// What the points of a workload are asked about (model/point.hpp).
  [[nodiscard]] const std::string& axis(const std::string& workload);

  /// Compares anew whatever competes with one of these points. `baselines` holds their comparisons with the
  /// baselines of paired rounds.
  void update(std::span<const std::size_t> points, const std::map<PointId, Comparison>& baselines);

 private:
  /// Points that compete: one problem, one device, measured in one way.
  using Table = std::pair<RivalKey, std::string>;
  [[nodiscard]] static Table table_of(const Point& point) { return {RivalKey(point), point.device}; }
  void number_points();
  void compare(const std::vector<std::size_t>& table, const std::map<PointId, Comparison>& baselines);
  [[nodiscard]] bool is_vendor(const Point& point) const;

  Store& store_;
  std::vector<RunPoint>& points_;
  const Catalogue& catalogue_;
  std::string question_;
  double threshold_;
  std::map<Table, std::vector<std::size_t>> tables_;
  std::size_t numbered_ = 0;  ///< number of points that are in tables_
  struct Axis {
    std::string name;
    std::size_t points = 0;  ///< points of the run when it was found
  };
  std::map<std::string, Axis> axes_;  ///< by workload
};

}  // namespace benchctl

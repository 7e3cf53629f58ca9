// Search strategies: which points of a space to try next, given what became of those before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace benchctl {

/// A point of a space: which arm, and the place of its value in each dimension of that arm.
struct Coordinates {
  std::uint32_t arm = 0;
  std::vector<std::uint32_t> places;

  auto operator<=>(const Coordinates&) const = default;
};

/// Goes to the next combination of places in dimensions of these lengths, the last one running fastest.
/// False behind the last combination, and the first one follows.
bool next_places(std::vector<std::uint32_t>& places, const std::vector<std::uint32_t>& lengths);

/// Arms are alternatives with dimensions of their own: variants with their tunables. Nothing here is as
/// large as the space: a point is made when it is asked for.
struct SearchSpace {
  /// Lengths of the dimensions, by arm; each at least 1.
  std::vector<std::vector<std::uint32_t>> arms;
  /// Can the point run? Conditions and the device's limits, evaluated for this point alone.
  std::function<bool(const Coordinates&)> possible;
  /// Points that are known to be good: strategies that draw points try these first.
  std::vector<Coordinates> first = {};

  [[nodiscard]] double size(std::size_t arm) const;
  /// Points in all, impossible ones included.
  [[nodiscard]] double size() const;
};

/// Points that a run measures in turns before the strategy is told.
inline constexpr std::size_t search_batch = 16;

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// Up to `most` possible points to try side by side, none of them proposed before; none: the search is
  /// over.
  [[nodiscard]] virtual std::vector<Coordinates> next(std::size_t most) = 0;
  /// What became of a proposed point: its time, or nothing when it failed. Told for every point of a batch
  /// before the next one is asked for.
  virtual void learn(const Coordinates& point, std::optional<double> cost) = 0;
};

struct StrategyInfo {
  std::string_view name;
  std::string_view doc;
  std::uint64_t default_points;  ///< without max_points in the config; 0: all
  /// The same proposals for the same space, seed and costs, on every platform. The space must outlive the
  /// strategy.
  std::unique_ptr<Strategy> (*make)(const SearchSpace& space, std::uint64_t seed);
};

/// `all` first.
[[nodiscard]] std::span<const StrategyInfo> strategies();
/// Null if no strategy has that name.
[[nodiscard]] const StrategyInfo* find_strategy(std::string_view name);

/// A space whose times are known: what would a strategy have found, and when?
struct RecordedSpace {
  /// Without `possible`, which are the points that `cost` has.
  SearchSpace space;
  std::map<Coordinates, std::optional<double>> cost;  ///< nothing: it failed
};

/// The lowest cost after each of up to `most` points, infinite before the first that did not fail. Points
/// are proposed in batches, as in a run. A cost of `enough` ends the search.
[[nodiscard]] std::vector<double> simulate_search(const StrategyInfo& info, const RecordedSpace& recorded,
                                                  std::uint64_t seed, std::size_t most,
                                                  double enough = -std::numeric_limits<double>::infinity());

}  // namespace benchctl

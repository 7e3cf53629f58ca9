// Which point is compared with which, and what their rounds say.
#pragma once

#include "model/comparison.hpp"
#include "model/point.hpp"
#include "stats/race.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace benchctl {

/// A point of a group as far as comparing it goes.
struct PairCandidate {
  const Point* point = nullptr;
  DeviceType device_type = DeviceType::cpu;
  bool vendor = false;
};

/// For each point of a group the one that it is compared with; nothing for baselines themselves and where
/// there is none. Candidates are of the same basis. One of the same device is taken before one
/// of another, then one of the same cache and launch mode, one of the same variant's name, one that agrees
/// in more tunables before one that agrees in fewer, an earlier one before a later. Without a baseline in
/// the settings, candidates are the vendor's points of the device or else its first point.
[[nodiscard]] std::vector<std::optional<std::size_t>> choose_baselines(
    std::span<const PairCandidate> points, const CompareSettings& settings);

/// How many executions a sample of a point holds, and how many it can hold at most.
struct Batch {
  std::uint32_t wanted = 1;
  std::uint32_t most = 1;
};

/// What starting and stopping a sample costs (about a microsecond on a GPU) is shared by its executions,
/// so that points which are compared need equally many of them: on any devices, as many as the one that
/// wants most, or as the one allows that allows fewest. A point that wants or allows less than a quarter of
/// that lasts long, or is of another kind, and keeps what it wants.
[[nodiscard]] std::vector<std::uint32_t> equal_batches(std::span<const Batch> batches);

using stats::round_key;
using stats::RoundValues;

/// Two series of rounds to compare.
struct Pair {
  const RoundValues* point = nullptr;
  const RoundValues* baseline = nullptr;
  std::uint64_t ordinal = 0;  ///< the baseline's ordinal
  std::string label;          ///< the baseline's label
};

/// All comparisons of a group with its baselines, by the rounds that both have (stats::ratio_by_rounds).
/// Verdicts hold together: at 97.5 %, with several replicates at 95 %.
[[nodiscard]] std::vector<Comparison> compare_pairs(std::span<const Pair> pairs, double threshold);

/// Half the width of the 95 % interval of a pair's ratio over the ratio, in the last replicate; NaN without
/// an interval.
[[nodiscard]] double ratio_half_width(const Pair& pair);

/// May the replicate's rounds end? Half the interval that the verdict on one of `comparisons` stands on
/// must be within the target. Unless it lies within or beyond the threshold as a whole, so that the verdict
/// is clear, it must be as narrow as a third of the threshold: two equal variants are then called the same.
[[nodiscard]] bool ratio_is_known(const Pair& pair, double target, double threshold,
                                  std::size_t comparisons);

}  // namespace benchctl

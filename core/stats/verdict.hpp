// What may be said about two variants, given the interval of the ratio of their times.
#pragma once

#include "stats/paired.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace benchctl::stats {

enum class Verdict : std::uint8_t { faster, slower, same, not_resolved, not_comparable };

struct VerdictInfo {
  Verdict verdict;
  std::string_view id;
  std::string_view label;  ///< for tables
  std::string_view doc;
};

inline constexpr std::array<VerdictInfo, 5> verdict_table{{
    {Verdict::faster, "faster", "faster",
     "the interval of the ratio of times lies below 1, and the ratio is beyond the practical threshold"},
    {Verdict::slower, "slower", "slower",
     "the interval of the ratio of times lies above 1, and the ratio is beyond the practical threshold"},
    {Verdict::same, "same", "same",
     "the whole interval lies within the practical threshold: a difference, if any, does not matter"},
    {Verdict::not_resolved, "not_resolved", "not resolved",
     "neither is shown: the interval is too wide, or there are too few rounds for one; measure longer"},
    {Verdict::not_comparable, "not_comparable", "not comparable",
     "the two were not measured under the same conditions; the reason names the difference"},
}};

[[nodiscard]] const VerdictInfo& info(Verdict verdict);

/// The verdict on the numerator of a ratio of *times* (numerator's over denominator's), by the practical
/// `threshold` t ≥ 0 (0.01: differences of up to 1 % do not matter):
///   same          the interval lies within [1/(1 + t), 1 + t];
///   faster        the interval lies below 1, and the ratio below 1/(1 + t);
///   slower        the interval lies above 1, and the ratio above 1 + t;
///   not_resolved  all else, an unknown interval among it.
/// At most one of the first three holds, since a ratio lies in its interval. Exchanging the two exchanges
/// `faster` and `slower` and leaves the rest. If the two are truly the same, faster or slower is said at
/// most as often as the interval misses. Never `not_comparable`: what was measured alike is not known
/// here. std::invalid_argument when `threshold` is negative, infinite or not a number.
[[nodiscard]] Verdict judge(const RatioEstimate& times, double threshold);

/// The same, but `faster` and `slower` need the whole interval beyond the threshold: if the two truly
/// differ by the threshold or less, they are said at most as often as the interval misses.
[[nodiscard]] Verdict judge_strictly(const RatioEstimate& times, double threshold);

}  // namespace benchctl::stats

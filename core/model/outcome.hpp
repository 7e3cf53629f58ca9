// What can be said of a point in two runs. One table: names, and the text of the documentation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace benchctl {

enum class PairOutcome : std::uint8_t {
  faster,
  slower,
  same,
  not_resolved,
  not_comparable,
  wrong,
  failed,
  missing,
  repaired,
  added,
  untimed,
};

struct OutcomeInfo {
  PairOutcome outcome;
  std::string_view id;
  std::string_view label;  ///< for tables
  bool may_fail;           ///< a gate may count it as failure
  std::string_view doc;
};

inline constexpr std::array<OutcomeInfo, 11> outcome_table{{
    {PairOutcome::faster, "faster", "faster", false,
     "the interval of new over base lies below 1, and the ratio is beyond the practical threshold"},
    {PairOutcome::slower, "slower", "slower", true,
     "the interval of new over base lies above 1, and the ratio is beyond the practical threshold; of "
     "another metric: "
     "it is worse by more than the threshold"},
    {PairOutcome::same, "same", "same", false, "the whole interval lies within the practical threshold"},
    {PairOutcome::not_resolved, "not_resolved", "not resolved", true,
     "neither is shown: the intervals are too wide, or there is none; measure longer"},
    {PairOutcome::not_comparable, "not_comparable", "not comparable", true,
     "measured under conditions that differ too much; the reason names them"},
    {PairOutcome::wrong, "wrong", "wrong now", true,
     "right in base, and the results of new fail verification"},
    {PairOutcome::failed, "failed", "failed now", true,
     "had a time in base, and new failed in another way"},
    {PairOutcome::missing, "missing", "missing", true,
     "had a time in base, and new has no such point, or left it out"},
    {PairOutcome::repaired, "repaired", "works now", false, "failed in base, and has a time in new"},
    {PairOutcome::added, "added", "new", false, "base has no such point, or left it out"},
    {PairOutcome::untimed, "untimed", "no times", false, "neither has a time"},
}};

[[nodiscard]] constexpr const OutcomeInfo& info(PairOutcome outcome) {
  return outcome_table[static_cast<std::size_t>(outcome)];
}

[[nodiscard]] constexpr std::optional<PairOutcome> parse_outcome(std::string_view id) {
  for (const OutcomeInfo& entry : outcome_table) {
    if (entry.id == id) return entry.outcome;
  }
  return std::nullopt;
}

}  // namespace benchctl

#include "report/standing.hpp"

#include "report/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

/// Shares are shown in whole per cents: what shows as 100 % is at its roof.
constexpr double share_at_roof = 1.005;

}  // namespace

Standing standing_of(const ResultRow& row) {
  if (!takes_part(row)) return Standing::outside;
  if (row.point().status == Status::unstable) return Standing::unstable;
  const bool above = row.metric("roof_fraction") > share_at_roof || row.stored.notes.contains("above_roof");
  return above ? Standing::above_roof : Standing::heads;
}

std::string why_none_heads(const std::vector<Standing>& standings) {
  const auto unstable = std::ranges::count(standings, Standing::unstable);
  const auto above = std::ranges::count(standings, Standing::above_roof);
  if (unstable + above == 0) return {};
  if (above == 0) {
    return unstable == 1 ? "the only time is unstable: allow more time"
                         : fmt::format("all {} times are unstable: allow more time", unstable);
  }
  const std::string roof = fmt::format("{} above the measured roof: measure roofs again", above);
  return unstable == 0 ? roof : fmt::format("{} unstable, {}", unstable, roof);
}

}  // namespace benchctl

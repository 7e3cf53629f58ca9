#include "report/ranking.hpp"

#include <limits>
#include <map>

namespace benchctl {

namespace {

/// Under 6 samples there is no interval, and only an equal median counts as a tie.
bool tied(const ResultRow& row, const ResultRow& best) {
  return median_of(row) == median_of(best) || row.interval().overlaps(best.interval());
}

void keep_faster(const ResultRow*& best, const ResultRow& row) {
  if (best == nullptr || median_of(row) < median_of(*best)) best = &row;
}

struct Best {
  const ResultRow* overall = nullptr;
  const ResultRow* own = nullptr;  ///< no vendor's
};

}  // namespace

bool takes_part(const ResultRow& row) { return row.timed() && row.point().expect == Expect::right; }

std::vector<Rank> rank_within(std::span<const ResultRow* const> rows,
                              std::span<const std::size_t> devices) {
  std::map<std::size_t, Best> best_of;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!takes_part(*rows[i])) continue;
    Best& best = best_of[devices[i]];
    keep_faster(best.overall, *rows[i]);
    if (!rows[i]->stored.row.vendor) keep_faster(best.own, *rows[i]);
  }
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ResultRow& row = *rows[i];
    Rank& rank = ranks.emplace_back();
    rank.versus_best = std::numeric_limits<double>::quiet_NaN();
    if (!takes_part(row)) continue;
    const Best& best = best_of.at(devices[i]);
    rank.versus_best = median_of(row) / median_of(*best.overall);
    rank.best = tied(row, *best.overall);
    rank.fastest = rank.best || (!row.stored.row.vendor && tied(row, *best.own));
  }
  return ranks;
}

std::vector<Rank> rank_by_device(std::span<const ResultRow* const> rows) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::vector<std::size_t> devices;
  for (const ResultRow* row : rows) {
    devices.push_back(numbers.try_emplace(row->point().device, numbers.size()).first->second);
  }
  return rank_within(rows, devices);
}

}  // namespace benchctl

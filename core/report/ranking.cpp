#include "report/ranking.hpp"

#include <limits>
#include <map>

namespace benchctl {

namespace {

bool takes_part(const ResultRow& row) { return row.timed() && row.point().expect == Expect::right; }

double median_of(const ResultRow& row) { return row.stored.measurement->median_ns; }

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

std::vector<Rank> rank_by_device(std::span<const ResultRow* const> rows) {
  std::map<std::string, Best, std::less<>> best_of;
  for (const ResultRow* row : rows) {
    if (!takes_part(*row)) continue;
    Best& best = best_of[row->point().device];
    keep_faster(best.overall, *row);
    if (!row->stored.row.vendor) keep_faster(best.own, *row);
  }
  std::vector<Rank> ranks;
  for (const ResultRow* row : rows) {
    Rank& rank = ranks.emplace_back();
    rank.versus_best = std::numeric_limits<double>::quiet_NaN();
    if (!takes_part(*row)) continue;
    const Best& best = best_of.at(row->point().device);
    rank.versus_best = median_of(*row) / median_of(*best.overall);
    rank.fastest = tied(*row, *best.overall) || (!row->stored.row.vendor && tied(*row, *best.own));
  }
  return ranks;
}

}  // namespace benchctl

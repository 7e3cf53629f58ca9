#include "report/ranking.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace benchctl {

namespace {

/// Under 6 samples there is no interval, and only an equal median counts as a tie.
bool tied(const ResultRow& row, const ResultRow& best) {
  return median_of(row) == median_of(best) || row.interval().overlaps(best.interval());
}

/// Half the width of an interval, as a share of the median, from which on an overlap is no tie.
constexpr double vague_width = 0.1;

bool is_vague(const ResultRow& row) { return row.relative_half_width() > vague_width; }

void keep_faster(const ResultRow*& best, const ResultRow& row) {
  if (best == nullptr || median_of(row) < median_of(*best)) best = &row;
}

struct Best {
  const ResultRow* overall = nullptr;
  const ResultRow* own = nullptr;  ///< no vendor's
  bool overall_rivalled = false;   ///< does another overlap with it?
  bool own_rivalled = false;       ///< does another that is no vendor's?
};

enum class Rival : std::uint8_t { slower, unresolved, fastest };

Rival rival_of(const ResultRow& row, const ResultRow& best, bool rivalled) {
  if (!tied(row, best)) return Rival::slower;
  const bool vague = is_vague(best) ? rivalled : &row != &best && is_vague(row);
  return vague ? Rival::unresolved : Rival::fastest;
}

}  // namespace

bool takes_part(const ResultRow& row) { return row.timed() && row.point().expect == Expect::right; }

std::vector<Rank> rank_within(std::span<const ResultRow* const> rows,
                              std::span<const std::size_t> devices) {
  std::map<std::size_t, Best> best_of;
  std::map<std::size_t, std::set<std::string>> threads_of;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!takes_part(*rows[i])) continue;
    threads_of[devices[i]].insert(rows[i]->threads());
    Best& best = best_of[devices[i]];
    keep_faster(best.overall, *rows[i]);
    if (!rows[i]->stored.row.vendor) keep_faster(best.own, *rows[i]);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!takes_part(*rows[i])) continue;
    Best& best = best_of.at(devices[i]);
    const auto rivals = [&](const ResultRow* other) { return rows[i] != other && tied(*rows[i], *other); };
    best.overall_rivalled = best.overall_rivalled || rivals(best.overall);
    if (!rows[i]->stored.row.vendor) best.own_rivalled = best.own_rivalled || rivals(best.own);
  }
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ResultRow& row = *rows[i];
    Rank& rank = ranks.emplace_back();
    rank.versus_best = std::numeric_limits<double>::quiet_NaN();
    if (!takes_part(row)) continue;
    rank.threads_differ = threads_of.at(devices[i]).size() > 1;
    const Best& best = best_of.at(devices[i]);
    rank.versus_best = median_of(row) / median_of(*best.overall);
    const Rival overall = rival_of(row, *best.overall, best.overall_rivalled);
    const Rival own = row.stored.row.vendor ? Rival::slower : rival_of(row, *best.own, best.own_rivalled);
    rank.best = overall == Rival::fastest;
    rank.fastest = rank.best || own == Rival::fastest;
    rank.unresolved = !rank.fastest && (overall == Rival::unresolved || own == Rival::unresolved);
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

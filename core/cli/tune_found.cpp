#include "cli/tune_found.hpp"

#include "report/rank.hpp"
#include "sweep/configurations.hpp"

#include <algorithm>
#include <cmath>

namespace benchctl::cli {

namespace {

/// Configurations that take more than so many times as long as the best are left out.
constexpr double worst_ratio = 1.5;

/// Finalists that may win, the best first, each with its time, or its cost, over that of the best.
std::vector<std::pair<double, const Result*>> rivals_of(const SearchSummary& search) {
  if (!is_for_time(search)) {
    auto rivals = by_cost(search);
    const double least = rivals.empty() ? 1 : rivals.front().first;
    for (auto& [cost, row] : rivals) cost = cost == least ? 1 : cost / least;
    return rivals;
  }
  std::vector<const Result*> rows;
  for (const Result& final : search.finals) rows.push_back(&final);
  const std::vector<Rank> ranks = rank(rows);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (ranks[i].competes) order.push_back(i);
  }
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return std::pair(!ranks[i].best, ranks[i].versus_best); });
  std::vector<std::pair<double, const Result*>> rivals;
  for (const std::size_t i : order) rivals.emplace_back(ranks[i].versus_best, rows[i]);
  return rivals;
}

std::optional<Gain> gain_of(const SearchSummary& search, double ratio, const Result& before) {
  if (!is_for_time(search)) return Gain{ratio, no_number, no_number};
  const benchctl::Comparison* best = before.compared(Against::best);
  return best == nullptr ? std::nullopt
                         : std::optional(Gain{best->time_ratio, best->ci_low, best->ci_high});
}

}  // namespace

Configuration without_defaults(Configuration one, const std::string& workload,
                               const BackendEntry& backend) {
  for (const TunableInfo& tunable : backend.find_variant(workload, one.variant)->tunables) {
    if (one.tunables.at(tunable.name) == tunable.default_value) one.tunables.erase(tunable.name);
  }
  return one;
}

Found found_by(const SearchSummary& search, const LaneTable& lanes, const Catalogue& catalogue) {
  Found found;
  found.search = &search;
  found.tuned.choice = search.tuned;
  const std::vector<std::pair<double, const Result*>> rivals = rivals_of(search);
  if (rivals.empty()) return found;
  for (const auto& [ratio, row] : rivals) {
    if (row->point().label() == search.before) found.gain = gain_of(search, ratio, *row);
  }
  const Point& point = rivals.front().second->point();
  found.lane = find_lane(lanes, point.device);
  found.workload = point.workload;
  found.tuned.problem = point.problem;
  found.tuned.layout = point.layout;
  found.best = to_text(
      without_defaults({point.variant, point.tunables}, point.workload, *catalogue.find(point.backend)));
  for (const auto& [ratio, row] : rivals) {
    if (ratio > worst_ratio || found.tuned.configurations.size() == most_configurations) break;
    found.tuned.configurations.push_back({row->point().variant, row->point().tunables, ratio});
    found.medians.push_back(median_of(*row));
  }
  found.tuned.ns = found.medians.front();
  return found;
}

std::vector<double> gains_of(const std::vector<Found>& all) {
  std::vector<double> gains;
  for (const Found& found : all) {
    if (found.gain && std::isfinite(found.gain->ratio)) gains.push_back(found.gain->ratio);
  }
  return gains;
}

}  // namespace benchctl::cli

#include "engine/simulation.hpp"

#include "model/key_text.hpp"
#include "model/value_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace benchctl {

namespace {

struct StoredSpace {
  std::string label;
  SearchSpace space;
  std::map<Coordinates, std::optional<double>> costs;  // of every point that the run tried
};

std::string key_of(const Point& point) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", point.workload, to_text(point.problem), point.layout,
                     point.device, to_string(point.measure.cache), to_string(point.measure.launch),
                     to_string(point.measure.basis));
}

std::string label_of(const Point& point) {
  std::string label = fmt::format("{} @ {}", point.workload, point.device);
  if (!point.problem.empty()) label += " " + to_text(point.problem);
  if (!point.layout.empty()) label += " layout=" + point.layout;
  return label;
}

/// A variant with the tunables that its points have: a sweep may add some (`twin`) that another one has
/// not.
std::string arm_of(const Point& point) {
  KeyText arm;
  arm.add(point.variant);
  for (const auto& [name, value] : point.tunables) arm.add(name);
  return arm.take();
}

/// Arms are variants, dimensions their tunables with all values that occur, in order.
StoredSpace space_of(const std::vector<const StoredPoint*>& points) {
  StoredSpace stored;
  stored.label = label_of(points.front()->row.point);
  std::map<std::string, std::uint32_t> arms;
  std::vector<std::vector<std::vector<Value>>> values;
  for (const StoredPoint* stored_point : points) {
    const Point& point = stored_point->row.point;
    const auto [entry, fresh] = arms.try_emplace(arm_of(point), static_cast<std::uint32_t>(arms.size()));
    if (fresh) values.emplace_back(point.tunables.size());
    std::size_t d = 0;
    for (const auto& [name, value] : point.tunables) values[entry->second].at(d++).push_back(value);
  }
  for (auto& arm : values) {
    std::vector<std::uint32_t>& lengths = stored.space.arms.emplace_back();
    for (auto& dimension : arm) {
      std::ranges::sort(dimension, ValueOrder{});
      dimension.erase(std::unique(dimension.begin(), dimension.end()), dimension.end());
      lengths.push_back(static_cast<std::uint32_t>(dimension.size()));
    }
  }
  for (const StoredPoint* stored_point : points) {
    const Point& point = stored_point->row.point;
    Coordinates at{arms.at(arm_of(point)), {}};
    std::size_t d = 0;
    for (const auto& [name, value] : point.tunables) {
      const auto& dimension = values[at.arm][d++];
      at.places.push_back(
          static_cast<std::uint32_t>(std::ranges::find(dimension, value) - dimension.begin()));
    }
    std::optional<double> cost;
    if (stored_point->measurement) cost = stored_point->measurement->median_ns;
    stored.costs.try_emplace(std::move(at), cost);  // finals come later, and are left out
  }
  return stored;
}

std::vector<StoredSpace> spaces_of(std::span<const StoredPoint> points) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const StoredPoint*>> by_key;
  for (const StoredPoint& stored : points) {
    const Point& point = stored.row.point;
    const StatusClass status = info(point.status).status_class;
    if (status == StatusClass::ruled_out || status == StatusClass::open) continue;
    if (stored.row.vendor) continue;  // a yardstick beside the space, not a place in it
    auto& members = by_key[key_of(point)];
    if (members.empty()) order.push_back(key_of(point));
    members.push_back(&stored);
  }
  std::vector<StoredSpace> spaces;
  for (const std::string& key : order) spaces.push_back(space_of(by_key.at(key)));
  return spaces;
}

/// Points tried until the best so far was close, for each closeness.
std::array<double, closeness.size()> run_once(const StoredSpace& stored, const StrategyInfo& info,
                                              std::uint64_t seed, double best) {
  constexpr std::size_t batch_points = 16;
  std::array<double, closeness.size()> needed;
  needed.fill(std::numeric_limits<double>::infinity());
  const std::unique_ptr<Strategy> strategy = info.make(stored.space, seed);
  double tried = 0;
  for (;;) {
    const std::vector<Coordinates> batch = strategy->next(batch_points);
    if (batch.empty()) return needed;
    for (const Coordinates& point : batch) {
      const std::optional<double>& cost = stored.costs.at(point);
      ++tried;
      for (std::size_t i = 0; i < closeness.size(); ++i) {
        if (cost && *cost <= best * closeness[i]) needed[i] = std::min(needed[i], tried);
      }
      strategy->learn(point, cost);
    }
    if (needed.back() <= tried) return needed;
  }
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::ceil(share * last))];
}

}  // namespace

std::vector<SimulatedSearch> simulate(std::span<const StoredPoint> points,
                                      std::span<const StrategyInfo> strategies, std::size_t seeds) {
  std::vector<SimulatedSearch> results;
  for (StoredSpace& stored : spaces_of(points)) {
    double best = std::numeric_limits<double>::infinity();
    std::size_t timed = 0;
    for (const auto& [at, cost] : stored.costs) {
      if (!cost) continue;
      ++timed;
      best = std::min(best, *cost);
    }
    if (timed < least_points) continue;
    stored.space.possible = [&](const Coordinates& at) { return stored.costs.contains(at); };
    for (const StrategyInfo& strategy : strategies) {
      SimulatedSearch& result = results.emplace_back();
      result.space = stored.label;
      result.strategy = strategy.name;
      result.points = timed;
      result.coverage = static_cast<double>(stored.costs.size()) / stored.space.size();
      result.best_ns = best;
      std::array<std::vector<double>, closeness.size()> needed;
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto once = run_once(stored, strategy, seed, best);
        for (std::size_t i = 0; i < once.size(); ++i) needed[i].push_back(once[i]);
      }
      for (std::size_t i = 0; i < needed.size(); ++i) {
        result.median[i] = quantile(needed[i], 0.5);
        result.worst_tenth[i] = quantile(needed[i], 0.9);
      }
    }
  }
  return results;
}

}  // namespace benchctl
